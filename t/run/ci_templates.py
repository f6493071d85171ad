#!/usr/bin/env python3
"""ci_templates.py EXAMPLES NAME: reads a template of examples/ci and prints what is in it, a line each: "env NAME", "command LINE",
"artefact FILE". YAML is read by python3-yaml; of the Jenkinsfile, the sh steps and the lists of files."""
import re
import sys

import yaml


def github(text):
    workflow = yaml.safe_load(text)
    # YAML 1.1 reads the key `on` as true.
    assert "pull_request" in workflow[True] and len(workflow["jobs"]) == 1
    job = workflow["jobs"]["storage"]
    upload = [s for s in job["steps"] if s.get("uses", "").startswith("actions/upload-artifact@")]
    assert len(upload) == 1 and upload[0]["if"] == "always()"
    assert all(("run" in s) != ("uses" in s) for s in job["steps"])
    return job["env"], [s["run"].strip() for s in job["steps"] if "run" in s], upload[0]["with"]["path"].split()


def gitlab(text):
    job = yaml.safe_load(text)["storage"]
    assert job["artifacts"]["when"] == "always" and job["artifacts"]["reports"]["junit"] in job["artifacts"]["paths"]
    return job["variables"], job["script"], job["artifacts"]["paths"]


def jenkins(text):
    text = re.sub(r"(?m)//.*$", "", text)
    bare = re.sub(r"'''.*?'''|'[^']*'", "", text, flags=re.S)
    for opening, closing in ("{}", "()"):
        assert bare.count(opening) == bare.count(closing)
    env = dict(re.findall(r"(?m)^\s*(\w+) = '(.*)'$", text))
    assert re.search(r"junit testResults: 'result.xml'", text)
    files = re.search(r"archiveArtifacts artifacts: '([^']*)'", text)[1].split(", ")
    return env, [c.strip() for c in re.findall(r"sh '''(.*?)'''", text, re.S)], files


READ = {"github.yml": github, "gitlab.yml": gitlab, "Jenkinsfile": jenkins}
with open("%s/%s" % (sys.argv[1], sys.argv[2]), encoding="utf-8") as f:
    env, commands, files = READ[sys.argv[2]](f.read())
for name in env:
    print("env", name)
for command in commands:
    for line in command.splitlines():
        print("command", line.strip())
for name in files:
    print("artefact", name)
