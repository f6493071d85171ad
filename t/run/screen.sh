#!/bin/sh
# Does --eta=full show a screen that fits the terminal, and is the terminal as before after every ending? tmux is the terminal; it
# knows whether its alternate screen is on and its cursor visible. In a pipe there is no screen.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1

null="--ioengine=null --size=1g --time_based --runtime=600 --rate_iops=200"

# ---- without a terminal ----
for term in xterm dumb; do
	TERM=$term run --eta=full --name=x --ioengine=null --size=64k --rw=read --output-format=json
	check "in a pipe nothing is shown (TERM=$term)" empty err
	check "... and the document is alone" json out '.jobs[0].error == 0'
done
run --eta=ful $null --name=x
check "a wrong choice names the right one" says err full

if reason=$(no_terminal); then
	skip "the screen" "$reason"
	finish
elif ! command -v tmux >/dev/null; then
	skip "the screen" "no tmux"
	finish
fi

# ---- under tmux ----
mux() {
	tmux -S "$dir/tmux" -f /dev/null "$@"
}

cleanup() {
	mux kill-server 2>/dev/null
}

capture() {
	mux capture-pane -p >pane 2>/dev/null
}

pane_says() { # TEXT
	capture && grep -qF -- "$1" pane
}

pane_matches() { # REGEX
	capture && grep -qE -- "$1" pane
}

pane_lacks() { # TEXT
	capture && ! grep -qF -- "$1" pane
}

# terminal_is ALTERNATE CURSOR: 1 or 0 each.
terminal_is() {
	[ "$(mux display -p '#{alternate_on} #{cursor_flag}')" = "$1 $2" ]
}

given_back() {
	terminal_is 0 1
}

# type_line COMMAND: types a command in the shell of the pane.
type_line() {
	mux send-keys -l "$1" && mux send-keys Enter
}

# fiord_pid: prints the process ID of the program in the pane.
fiord_pid() {
	cat fiord.pid 2>/dev/null
}

started() {
	[ -s fiord.pid ]
}

# shows_screen ARG...: starts the program in the pane, and its screen comes up.
shows_screen() {
	rm -f fiord.pid
	mux send-keys -R && mux clear-history
	type_line "sh -c 'echo \$\$ >fiord.pid; exec \"\$@\"' sh \"$FIORD\" --eta=full $threads $*; echo exit=\$?"
	until_true 60 started && until_true 60 terminal_is 1 0 && until_true 60 pane_says "eta "
}

lines_of() { # TEXT
	grep -cF -- "$1" pane
}

if ! TERM=xterm mux new-session -d -x 80 -y 24 "cd '$dir' && exec env PS1='ready ' ENV= ASAN_OPTIONS='${ASAN_OPTIONS-}' \
	LC_ALL=C.UTF-8 bash --norc -i" 2>tmux.err || ! until_true 30 pane_says ready; then
	skip "the screen" "tmux starts no session: $(head -c 200 tmux.err)"
	finish
fi
mux set -g remain-on-exit on

check "a screen comes up" shows_screen "$null --name=reader --rw=randread --name=writer --rw=randwrite --bs=16k --name=idle --stonewall"
check "... with a row for each job" until_true 60 pane_says "writer "
check "... and its figures" until_true 60 pane_matches "^reader +running +[0-9]+ +[0-9.]+[KM]?i?B/s +[0-9.]+[num]?s +[0-9.]+[num]?s"
check "... and a job that waits" pane_says waiting
check "... the latencies under a rate are response times" until_true 60 pane_says "resp"
check "... and curves" until_true 60 pane_says "█"
check "... and all jobs together" pane_says "total "

for size in "40 12" "10 3" "80 24"; do
	# shellcheck disable=SC2086
	set -- $size
	mux resize-window -x "$1" -y "$2"
	case $1 in
	80) text="^job +state +IOPS +bandwidth +mean +p99 +mean +p99$" ;;
	40) text="^job +IOPS +bandwidth +p99$" ;;
	*) text="^[0-9.k]+ IOPS$" ;;
	esac
	check "at $1x$2 the screen fits again" until_true 60 pane_matches "$text"
	check "... nothing has scrolled" [ "$(mux display -p '#{history_size}')" = 0 ]
done
check "the head is shown once" [ "$(lines_of "eta ")" = 1 ]

mux send-keys C-z
check "ctrl-Z gives the terminal back" until_true 60 given_back
check "... and the shell is there" until_true 60 pane_says Stopped
type_line 'fg; echo "exit=$?"'
check "fg shows the screen again" until_true 60 terminal_is 1 0
check "... with all rows" until_true 60 pane_says "reader "
mux send-keys C-c
check "ctrl-C ends the run" until_true 60 pane_says "exit=130"
check "... and the terminal is as before" given_back
check "... with the report below the command" pane_says "interrupted by SIGINT"

signals="TERM HUP QUIT"
[ "$SANITIZE" = thread ] || signals="$signals ABRT SEGV" # which the thread sanitizer handles itself
for sig in $signals; do
	check "a screen for SIG$sig" shows_screen "$null --name=x --rw=read --output=/dev/null"
	kill -s "$sig" "$(fiord_pid)"
	check "... after which the shell goes on" until_true 60 pane_says "exit="
	check "... and the terminal is as before" given_back
done

check "a screen for a run that ends by itself" shows_screen "--ioengine=null --size=1g --rw=read --time_based --runtime=2 --name=x \
	--output=/dev/null"
check "... after which the shell goes on" until_true 60 pane_says "exit=0"
check "... and the terminal is as before" given_back
check "... with no line left over" pane_lacks "running"

# ---- a terminal that the user has stopped ----
document_complete() {
	[ -s document ] && says document "Run status group 0"
}
check "a screen for ctrl-S" shows_screen "$null --name=x --rw=read --output=document"
mux send-keys C-s
capture # tmux has passed the key on when it answers
kill -TERM "$(fiord_pid)"
check "the run ends while ctrl-S stops the terminal" until_true 60 document_complete
check "... which still has the screen" terminal_is 1 0
mux send-keys C-q
check "ctrl-Q gives the terminal back" until_true 60 given_back
check "... and the program ends" until_true 60 pane_says "exit=143"

# ---- I/O that hangs ----
# The I/Os of a stopped worker that uses libaio are in flight until it runs again. It takes one completion at a time, so that others
# are in flight whenever it is stopped.
workers_stopped() {
	# shellcheck disable=SC2046
	kill -STOP $(children "$(fiord_pid)")
}
check "a screen for workers that are stopped" shows_screen "--name=stuck --filename=file --size=1m --rw=randread --ioengine=libaio \
	--numjobs=2 --group_reporting --iodepth=16 --iodepth_batch_complete_max=1 --time_based --runtime=600 --output=/dev/null"
check "... and have done I/O" until_true 60 pane_matches "^stuck \(2\) +running .*s$"
check "... are stopped" workers_stopped
check "they are named in one note" until_true 60 pane_matches "^[0-9:]+ stuck: hangs: no I/O has completed for 5 s \(2 clones\)"
check "... and their row says for how long" pane_matches "^stuck \(2\) +hung [0-9]+s +0 "
# shellcheck disable=SC2046
kill -CONT $(children "$(fiord_pid)")
check "... and that they go on" until_true 60 pane_matches "^[0-9:]+ stuck.*: hung for "
mux send-keys C-c
check "... until ctrl-C" until_true 60 pane_says "exit=130"

type_line "TERM=dumb \"$FIORD\" --eta=full $threads $null --name=x --rw=read"
check "a dumb terminal has the progress line" until_true 60 pane_says "Jobs: 1 "
check "... and no screen" given_back
mux send-keys C-c
finish
