"""A scanner for clang-formatted C++: it follows braces and looks at the text before each. It is not a parser."""
import re

NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*',
    re.DOTALL | re.MULTILINE,
)
NAMESPACE = re.compile(r"(inline )?namespace\b|extern$")
TYPE = re.compile(r"(template ?<.*> ?)?(requires .* )?(typedef )?(class|struct|union|enum)\b[^()=]*(\([^()]*\)[^()=]*)?$", re.DOTALL)
CONTROL = re.compile(r"(?:else|do|try)|(?:else )?(?:if|for|while|switch)\b.*\)", re.DOTALL)
LABEL = re.compile(r"^(?:\{\}|\s|case [^;{}]*?(?<!:):(?!:)|default:|public:|private:|protected:)*")


class Block:
    """An open brace: its kind, its line, the text before it, and the statement being read inside it."""

    def __init__(self, kind, line, text="", nesting=0):
        self.kind, self.line, self.text, self.nesting = kind, line, text, nesting
        self.head, self.parens, self.data_lines = "", 0, 0


def kind_of(head, block):
    """Returns what a brace opens, judging by the text before it and the enclosing block."""
    head = LABEL.sub("", head).strip()
    if block.kind in ("file", "namespace", "type"):
        if NAMESPACE.match(head):
            return "namespace"
        if TYPE.match(head):
            return "type"
        return "function" if ")" in head and not head.endswith(("=", ",", "(")) and block.parens == 0 else "data"
    if block.parens == 0 and CONTROL.fullmatch(head):
        return "control"
    if block.kind == "data" and "](" not in head and not head.endswith("]"):
        return "data"
    if head.endswith(("=", ",", "(", "return", "{}")) and head:
        return "data"
    return "other"  # a lambda, a plain block, a value in braces


def without_noise(text):
    """Returns the text with comments, literals and preprocessor lines blanked; line numbers stay."""
    return NOISE.sub(lambda m: "\n" * m.group().count("\n") or " ", text)


def walk(text):
    """Yields ("open" or "close", stack, line) at each brace and ("statement", stack, line) at each semicolon outside of parentheses.

    The block of an event is stack[-1]. At a statement, stack[-1].head is its text.
    """
    stack, line = [Block("file", 1)], 1
    for char in without_noise(text):
        block = stack[-1]
        if char == "\n":
            line += 1
            if block.kind == "data":
                function = next((one for one in reversed(stack) if one.kind == "function"), block)
                function.data_lines += 1
        if char == "{":
            kind = kind_of(block.head, block)
            nesting = block.nesting + (kind == "control") if kind != "function" else 0
            stack.append(Block(kind, line, block.head.strip(), nesting))
            yield "open", stack, line
            continue
        if char == "}" and len(stack) > 1:
            yield "close", stack, line
            stack.pop()
            outer = stack[-1]
            done = block.kind in ("namespace", "type", "function", "control") and outer.parens == 0
            outer.head = "" if done else outer.head + "{}"
            continue
        block.parens += (char == "(") - (char == ")")
        if char == ";" and block.parens == 0:
            yield "statement", stack, line
            block.head = ""
        else:
            block.head += char
