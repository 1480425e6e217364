"""Tests `keyfold model diff`, `fmt` and `schema` as programs: their output, files and exit codes."""
import json
import pathlib

from program import expect, expect_in

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"
SHOP = EXAMPLES / "shop.yaml"


def test_no_difference(place):
    code, out, err = place.run("model", "diff", SHOP, SHOP)
    expect((code, err), (0, ""))
    expect_in("nothing to do", out)


def test_steps_as_text_and_json(place):
    text = SHOP.read_text()
    changed = text.replace("project: [total]", "project: [total, userId]")
    file = place.write("new.yaml", changed)
    code, out, err = place.run("model", "diff", SHOP, file)
    expect((code, err), (0, ""))
    expect_in("call it GSI2v2 in the new model", out)
    expect_in("delete index GSI2 once nothing reads it", out)
    code, out, err = place.run("model", "diff", SHOP, file, "--format", "json")
    steps = json.loads(out)["steps"]
    expect([step["kind"] for step in steps], ["note", "create_index", "verify", "cut_over", "delete_index"])
    created = steps[1]["request"]["GlobalSecondaryIndexUpdates"][0]["Create"]
    expect(created["IndexName"], "GSI2v2")
    expect(created["Projection"]["NonKeyAttributes"], ["_et", "total", "userId"])


def test_fmt_changes_files_in_place_and_checks_them(place):
    file = place.write("a.yaml", "table: {key: {pk: PK}, name: T} # t\nmodel: 1\nentities:\n    A: {keys: {PK: A}}\n")
    wanted = "model: 1\ntable: {name: T, key: {pk: PK}} # t\nentities:\n  A: {keys: {PK: A}}\n"
    expect(place.run("model", "fmt", "--check", file)[0], 1, "before")
    expect(place.run("model", "fmt", file)[0], 0)
    expect(pathlib.Path(file).read_text(), wanted)
    expect(place.run("model", "fmt", "--check", file), (0, "", ""), "after")
    code, _, err = place.run("model", "fmt", place.write("b.yaml", "a: [\n"))
    expect(code, 2)
    expect_in("b.yaml:2:", err)


def test_the_schema_in_docs_is_the_programs(place):
    code, out, _ = place.run("model", "schema")
    expect(code, 0)
    expect(json.loads(out)["required"], ["model", "table", "entities"])
    expect(out, (EXAMPLES.parent / "docs" / "model.schema.json").read_text())
