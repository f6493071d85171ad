#!/bin/sh
# fiord-mpirun: starts mpirun of Open MPI with settings by which it notices within 15 s that a host has lost its network. By default it
# takes eight minutes. When mpirun ends a run, it also leaves the ranks 3 s, instead of 1 s, to write their results. The arguments are
# those of mpirun. Settings that the environment already has stay.
: "${OMPI_MCA_oob_tcp_keepalive_time=5}" "${OMPI_MCA_oob_tcp_keepalive_intvl=2}" "${OMPI_MCA_oob_tcp_keepalive_probes=5}"
: "${OMPI_MCA_odls_base_sigkill_timeout=3}"
export OMPI_MCA_oob_tcp_keepalive_time OMPI_MCA_oob_tcp_keepalive_intvl OMPI_MCA_oob_tcp_keepalive_probes OMPI_MCA_odls_base_sigkill_timeout
# Open MPI 5
: "${PRTE_MCA_oob_tcp_keepalive_time=5}" "${PRTE_MCA_oob_tcp_keepalive_intvl=2}" "${PRTE_MCA_oob_tcp_keepalive_probes=5}"
: "${PRTE_MCA_odls_base_sigkill_timeout=3}"
export PRTE_MCA_oob_tcp_keepalive_time PRTE_MCA_oob_tcp_keepalive_intvl PRTE_MCA_oob_tcp_keepalive_probes PRTE_MCA_odls_base_sigkill_timeout
exec "${FIORD_MPIRUN:-mpirun}" "$@"
