#!/usr/bin/env python3
"""kubernetes.py EXAMPLES: are the files for Kubernetes sound? Prints a line for each fact that holds, "not ok" for one that does not, and
for each container of the image fiord "args FILE" and its arguments, with tabs between. The schemas are those of kubernetes-validate (PyPI)."""
import copy
import os
import sys

import yaml

try:
    import kubernetes_validate
except ImportError:
    kubernetes_validate = None
OTHERS = ("Kustomization", "MPIJob")  # not of Kubernetes itself
failed = 0


def check(text, holds):
    global failed
    failed += not holds
    print("%s - %s" % ("ok" if holds else "not ok", text))


def read(path):
    with open(path, encoding="utf-8") as f:
        return yaml.safe_load(f)


def fits_schema(document):
    try:
        kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
    except (kubernetes_validate.ValidationError, kubernetes_validate.InvalidSchemaError):
        return False
    return True


def schema(name, document):
    if not kubernetes_validate:
        print("ok - %s fits the schema # skipped: no kubernetes-validate (PyPI)" % name)
        return
    check("%s fits the schema" % name, fits_schema(document))
    wrong = copy.deepcopy(document)
    wrong["spec"]["template"]["spec"]["container"] = wrong["spec"]["template"]["spec"].pop("containers")
    check("... a misspelled member does not", not fits_schema(wrong))


def pods(name, document):
    """What schemas do not know: names that must agree."""
    template = document["spec"]["template"]
    spec = template["spec"]
    volumes = {v["name"] for v in spec.get("volumes", [])}
    containers = spec.get("initContainers", []) + spec["containers"]
    mounts = {m["name"] for c in containers for m in c.get("volumeMounts", [])}
    check("%s: each volume is mounted, and each mount has its volume" % name, volumes == mounts)
    wanted = document["spec"].get("selector", {}).get("matchLabels", {})
    check("... the selector finds the pods", wanted.items() <= template["metadata"]["labels"].items())
    images = {c["image"] for c in containers}
    for container in containers:
        if container["image"] == "fiord":
            print("args", name, *container["args"], sep="\t")
    return images


def at(document, pointer):
    for key in pointer.strip("/").split("/"):
        document = document[int(key) if isinstance(document, list) else key]
    return document


def kustomization(folder):
    rules = read(folder + "/kustomization.yaml")
    documents = {name: read(folder + "/" + name) for name in rules["resources"]}
    used = {image for name, document in documents.items() for image in pods(name, document)}
    check("kustomization.yaml: each image that it names is used", all(i["name"] in used for i in rules["images"]))
    for patch in rules["patches"]:
        found = [d for d in documents.values() if d["kind"] == patch["target"]["kind"] and d["metadata"]["name"] == patch["target"]["name"]]
        check("... it patches a resource", len(found) == 1)
        for change in yaml.safe_load(patch["patch"]):
            old = at(found[0], change["path"])
            check("... %s, which is %s" % (change["path"], old), change["op"] == "replace" and old.startswith("/dev/") and old != change["value"])
    return documents


top = sys.argv[1]
done = kustomization(top + "/kubernetes")
for folder in ("kubernetes", "mpi"):
    for name in sorted(n for n in os.listdir(top + "/" + folder) if n.endswith(".yaml")):
        document = read("%s/%s/%s" % (top, folder, name))
        check("%s says what it is" % name, all(document.get(key) for key in ("apiVersion", "kind")))
        if document["kind"] not in OTHERS:
            schema(name, document)
            if name not in done:
                pods(name, document)
sys.exit(failed != 0)
