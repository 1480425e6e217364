#!/usr/bin/env python3
"""Generates src/expr/reserved_words.inc, the table that the expression parser searches, from src/expr/reserved_words.txt.

Run it after editing the list; the unit test of the table fails while the two differ."""
import pathlib

folder = pathlib.Path(__file__).resolve().parent.parent / "src" / "expr"
words = sorted(set((folder / "reserved_words.txt").read_text().upper().split()))

lines, line = [], "   "
for word in words:
    item = f' "{word}",'
    if len(line) + len(item) > 120:
        lines.append(line)
        line = "   "
    line += item
lines.append(line)

(folder / "reserved_words.inc").write_text(
    "// Made by tools/make_reserved_words.py from reserved_words.txt. Sorted.\n"
    f"inline constexpr size_t kReservedWordBytesMax = {max(map(len, words))};\n"
    f"inline constexpr std::array<std::string_view, {len(words)}> kReservedWords = {{\n" + "\n".join(lines) + "\n};\n"
)
