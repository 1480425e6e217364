"""Formats the results of bench/run as a table for the terminal, as Markdown, and as an SVG chart."""
import html
import math
import os
import platform
import time

COLOURS = ("#1f6f8b", "#e07a2f", "#5a9e4b", "#8a4fa3", "#b23a48", "#7a7a7a")


def machine_line():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GB, Linux {platform.release()}, {when}"


def cells(results, workload, contender):
    """Returns the result of one cell, or None."""
    return next((r for r in results if r["workload"] == workload and r["contender"] == contender), None)


def in_order(results, field):
    return list(dict.fromkeys(result[field] for result in results))


def words_of(result):
    """Returns ratio, requests per second, p50, p99, p99.9 and CPU time, or the reason why there are none."""
    if result is None:
        return ["-"] * 6
    if "skipped" in result:
        return ["skipped", "", "", "", "", ""]
    ratio = f"{result['ratio']:.3f}" if result.get("ratio") else "-"
    processor = f"{result['server_us_per_request']:.1f}" if result["server_us_per_request"] else "-"
    return [ratio, f"{result['rps']:,.0f}", *(f"{result[name]:,.0f}" for name in ("p50_us", "p99_us", "p999_us")), processor]


HEADINGS = ["ratio", "requests/s", "p50 µs", "p99 µs", "p99.9 µs", "server CPU µs"]


def rows(results):
    """Yields rows of [connections, workload, contender, …figures]."""
    for connections in in_order(results, "connections"):
        at = [result for result in results if result["connections"] == connections]
        for workload in in_order(at, "workload"):
            for contender in in_order(at, "contender"):
                result = cells(at, workload, contender)
                if result is not None:
                    yield [str(connections), workload, contender, *words_of(result)]


def text_table(results):
    table = [["connections", "workload", "server", *HEADINGS], *rows(results)]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    lines = []
    for row in table:
        left = [row[i].ljust(widths[i]) for i in range(3)]
        right = [row[i].rjust(widths[i]) for i in range(3, len(row))]
        lines.append("  ".join(left + right).rstrip())
    return "\n".join(lines)


def markdown(machine, settings, results, limits, idle):
    lines = ["# Benchmark", "", machine, "", settings, ""]
    lines.append("ratio: requests per second divided by those of nginx, which answered the same requests with a fixed body just before.")
    lines += ["", "| connections | workload | server | " + " | ".join(HEADINGS) + " |", "|" + "---|" * (3 + len(HEADINGS))]
    lines += ["| " + " | ".join(row) + " |" for row in rows(results)]
    if limits:
        lines += ["", "Upper bounds (requests per second): " + ", ".join(f"{name} {rate:,.0f}" for name, rate in limits.items())]
    for one in idle:
        lines += ["", f"{one['contender']}: {one['connections']} idle connections cost {one['bytes_per_connection']:.0f} bytes each, "
                  f"{one['bytes_per_connection_after_a_request']:.0f} after a request."]  # fmt: skip
    skipped = [result for result in results if "skipped" in result]
    lines += [""] if skipped else []
    lines += [f"{one['contender']}, {one['workload']}: skipped, it answered {one['skipped']!r}" for one in skipped]
    return "\n".join(lines) + "\n"


def chart(results, title):
    """Returns a bar chart of the ratios, with a group for each workload, at the largest measured number of connections."""
    connections = max(in_order(results, "connections"))
    at = [result for result in results if result["connections"] == connections and result.get("ratio")]
    workloads, contenders = in_order(at, "workload"), in_order(at, "contender")
    bar, gap, left, right, top = 14, 14, 130, 90, 70
    scale_max = max([result["ratio"] for result in at], default=1) or 1
    width = 900
    plot = width - left - right
    height = top + sum(bar * len(contenders) + gap for _ in workloads) + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
           f'<text x="{left}" y="22" font-size="15" font-weight="bold">{html.escape(title)}</text>']  # fmt: skip
    for i, contender in enumerate(contenders):
        x = left + i * 150
        out.append(f'<rect x="{x}" y="36" width="12" height="12" fill="{COLOURS[i % len(COLOURS)]}"/>')
        out.append(f'<text x="{x + 17}" y="46">{html.escape(contender)}</text>')
    y = top
    for workload in workloads:
        middle = y + bar * len(contenders) / 2 + 4
        out.append(f'<text x="{left - 8}" y="{middle:.0f}" text-anchor="end">{html.escape(workload)}</text>')
        for i, contender in enumerate(contenders):
            result = cells(at, workload, contender)
            if result is not None:
                length = max(1, result["ratio"] / scale_max * plot)
                out.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{bar - 2}" fill="{COLOURS[i % len(COLOURS)]}"/>')
                out.append(f'<text x="{left + length + 4:.1f}" y="{y + 10}" font-size="11">{result["ratio"]:.3f}</text>')
            y += bar
        y += gap
    out.append(f'<text x="{left}" y="{height - 10}" font-size="11" fill="#555555">requests per second divided by those of nginx with a '
               f"fixed response, {connections} connections</text>")  # fmt: skip
    return "\n".join([*out, "</svg>"]) + "\n"


def curves(points, workloads, axis):
    """Returns a chart of the server's CPU time per request over one growing quantity, with a line for each workload."""
    width, height, left, right, top, bottom = 640, 340, 60, 110, 40, 50
    xs = [point["x"] for point in points]
    log = max(xs) > 100
    place = [math.log10(max(x, 1)) if log else x for x in xs]
    span = (max(place) - min(place)) or 1
    most = max(point[name]["server_us_per_request"] for point in points for name in workloads)
    steep = most > 500  # then both axes are logarithmic
    least = min(point[name]["server_us_per_request"] for point in points for name in workloads)

    def at_x(i):
        return left + (place[i] - min(place)) / span * (width - left - right)

    def at_y(value):
        share = math.log(value / least) / math.log(most / least) if steep else value / most
        return height - bottom - share * (height - top - bottom)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
           f'<text x="{left}" y="22" font-weight="bold">server CPU time per request, µs, by {html.escape(axis)}</text>',
           f'<path d="M{left} {top}V{height - bottom}H{width - right}" fill="none" stroke="#999999"/>']  # fmt: skip
    for i, x in enumerate(xs):
        out.append(f'<text x="{at_x(i):.0f}" y="{height - bottom + 18}" text-anchor="middle" font-size="11">{x:,}</text>')
    for n, name in enumerate(workloads):
        values = [point[name]["server_us_per_request"] for point in points]
        line = " ".join(f"{at_x(i):.1f},{at_y(value):.1f}" for i, value in enumerate(values))
        colour = COLOURS[n % len(COLOURS)]
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for i, value in enumerate(values):
            out.append(f'<circle cx="{at_x(i):.1f}" cy="{at_y(value):.1f}" r="3" fill="{colour}"/>')
            out.append(f'<text x="{at_x(i):.1f}" y="{at_y(value) - 7:.1f}" text-anchor="middle" font-size="10" fill="{colour}">'
                       f"{value:,.1f}</text>")  # fmt: skip
        out.append(f'<text x="{width - right + 14}" y="{at_y(values[-1]) + 4:.1f}" fill="{colour}">{html.escape(name)}</text>')
    out.append(f'<text x="{left}" y="{height - 12}" font-size="11" fill="#555555">{html.escape(axis)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"
