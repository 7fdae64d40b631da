#!/usr/bin/env python3
"""Sweeps and tunes a simulated engine whose Elo is a known function of its parameters, many times over,
and writes how near the truth the tools came. Called by tuning-proof.sh: VERDICT RUNS OUT."""

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

VERDICT, RUNS, OUT = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def run(words, seed):
    with tempfile.TemporaryDirectory() as work:
        command = [VERDICT, *words, "--seed", str(seed), "--quiet", "--json", "--out", work + "/run"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: {done.stderr}")
        return json.loads(done.stdout)


# A search fits a landscape hundreds of times: fewer runs of it are told.
SEARCHES = max(RUNS // 5, 1)


def many(words, runs=RUNS):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda seed: run(words, seed), range(1, runs + 1)))


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def share(count, of):
    return f"{count} of {of}" + (f" ({100 * count / of:.1f} %)" if of else "")


class Peak:
    """NAME=OPTIMUM:WIDTH:ELO, as --truth has it."""

    def __init__(self, name, optimum, width, elo):
        self.name, self.optimum, self.width, self.elo_at = name, optimum, width, elo

    def flag(self):
        return ["--truth", f"{self.name}={self.optimum}:{self.width}:{self.elo_at}"]

    def elo(self, value):
        return -self.elo_at * ((value - self.optimum) / self.width) ** 2


def sweep(title, axes, peaks, pairs, alpha=5, base=None):
    words = ["sweep", *axes, "--pairs", str(pairs), "--alpha", f"{alpha}%"]
    words += sum((peak.flag() for peak in peaks), [])
    outcomes = [one["sweep"] for one in many(words)]
    elo = lambda row: sum(peak.elo(value) for peak, value in zip(peaks, row["values"]))
    kept = left = played = planned = told = inside = 0
    error = lost = 0.0
    for outcome in outcomes:
        rows = outcome["rows"]
        best = max(rows, key=elo)
        kept += not best["dropped"]
        chosen = next((row for row in rows if row["best"]), rows[-1])
        left += elo(chosen) - elo(best)
        played += sum(row["pairs"] for row in rows)
        planned += pairs * (len(rows) - 1)
        top = outcome["parabola"] and outcome["parabola"]["top"]
        if top:
            told += 1
            error += abs(top - peaks[0].optimum)
            lost += peaks[0].elo(top)
            low, high = outcome["parabola"]["top_ci95"]
            inside += low <= peaks[0].optimum <= high
    parabola = "–"
    if told:
        parabola = (
            f"off by {error / told:.1f}, {lost / told:+.2f} Elo on average; "
            f"in its 95 % interval {share(inside, told)}"
        )
    return (
        f"| {title} | {len(rows) - 1} | {pairs} | {share(kept, RUNS)} | {left / RUNS:+.2f} "
        f"| {100 * played / planned:.0f} % | {parabola} |"
    )


def spsa(title, lines, peaks, pairs, start):
    words = ["tune", "spsa", "--pairs", str(pairs), *sum((["--param", line] for line in lines), [])]
    words += sum((peak.flag() for peak in peaks), [])
    runs = many(words)
    told = inside = 0
    left = []
    for one in runs:
        parameters = one["parameters"]
        left.append(sum(p.elo(found["tuned"]) for p, found in zip(peaks, parameters)))
        for peak, found in zip(peaks, parameters):
            if found["best"] is not None:
                told += 1
                low, high = found["best_ci95"]
                inside += low <= peak.optimum <= high
    left.sort()
    begun = sum(peak.elo(value) for peak, value in zip(peaks, start))
    return (
        f"| {title} | {len(lines)} | {pairs} | {begun:+.0f} | {mean(left):+.2f} | {left[len(left) // 20]:+.2f} "
        f"| {share(told, RUNS * len(lines))} | {share(told - inside, told)} |"
    )


def clop(title, ranges, peaks, pairs, start):
    words = ["tune", "clop", *ranges, "--pairs", str(pairs)]
    words += sum((peak.flag() for peak in peaks), [])
    runs = many(words, SEARCHES)
    inside, widths, left = 0, [], []
    for one in runs:
        parameters = one["parameters"]
        left.append(sum(p.elo(found["tuned"]) for p, found in zip(peaks, parameters)))
        for peak, found in zip(peaks, parameters):
            low, high = found["ci95"]
            inside += low <= peak.optimum <= high
            widths.append((high - low) / peak.width)
    left.sort()
    # Where all values are equal there is no such width.
    width = f"{mean(widths):.2f}" if mean(widths) > 1e-3 else "–"
    begun = sum(peak.elo(value) for peak, value in zip(peaks, start))
    return (
        f"| {title} | {len(ranges)} | {pairs} | {begun:+.0f} | {mean(left):+.2f} | {left[len(left) // 20]:+.2f} "
        f"| {share(inside, SEARCHES * len(ranges))} | {width} |"
    )


def main():
    margin = Peak("lazy.margin", 160, 64, 20)
    move = Peak("lmr.min_move", 6, 2, 15)
    step = Peak("reductions.hash_excess", 200, 96, 10)
    flat = Peak("lazy.margin", 128, 1e6, 1)
    sweeps = [
        sweep("one parameter", ["lazy.margin=16:256:16"], [margin], 4000),
        sweep("one, few pairs", ["lazy.margin=16:256:16"], [margin], 500),
        sweep("two, grid", ["lazy.margin=64:256:32", "lmr.min_move=2..8"], [margin, move], 2000),
        sweep("three, 40 samples",
              ["lazy.margin=16:320:16", "lmr.min_move=2..10", "reductions.hash_excess=64:320:16",
               "--samples", "40"], [margin, move, step], 2000),
        sweep("all equal (any drop of one is an error)", ["lazy.margin=16:256:16"], [flat], 2000),
    ]
    four = [
        ("lazy.margin:48", Peak("lazy.margin", 320, 192, 30), 128),
        ("lmr.min_move:2", Peak("lmr.min_move", 12, 8, 30), 4),
        ("king_safety.table[*]:15", Peak("king_safety.table[*]", 160, 60, 30), 100),
        ("reductions.hash_excess:48", Peak("reductions.hash_excess", 320, 192, 30), 128),
    ]
    lines, peaks, start = [list(column) for column in zip(*four)]
    slow = [line + ":0.0005" for line in lines]
    near = [Peak(p.name, s + (p.optimum - s) / 4, p.width, p.elo_at) for p, s in zip(peaks, start)]
    nothing = [Peak(p.name, p.optimum, 1e9, 1) for p in peaks]
    walks = [
        spsa("four parameters", lines, peaks, 20000, start),
        spsa("four, few pairs", lines, peaks, 5000, start),
        spsa("four, steps too small (r_end 0.0005)", slow, peaks, 20000, start),
        spsa("four, near the best at the start", lines, near, 20000, start),
        spsa("two parameters", lines[:2], peaks[:2], 20000, start[:2]),
        spsa("four, many pairs", lines, peaks, 60000, start),
        spsa("four, all values equal", lines, nothing, 20000, start),
    ]
    ranges = ["lazy.margin=0..1024", "lmr.min_move=0..30", "king_safety.table[*]=20..300",
              "reductions.hash_excess=0..1000"]
    searches = [
        clop("one parameter", ranges[:1], peaks[:1], 1000, start[:1]),
        clop("one, many pairs", ranges[:1], peaks[:1], 5000, start[:1]),
        clop("two parameters", ranges[:2], peaks[:2], 5000, start[:2]),
        clop("two, many pairs", ranges[:2], peaks[:2], 15000, start[:2]),
        clop("four, few pairs", ranges, peaks, 3000, start),
        clop("four parameters", ranges, peaks, 10000, start),
        clop("four, all values equal", ranges, nothing, 3000, start),
    ]
    text = f"""# Sweeps, SPSA and CLOP on a known truth

A simulated engine whose Elo is a sum of parabolas of its parameters, its pairs drawn by lot (10, 15, 50,
15, 10 in a hundred between equals); {RUNS} runs a line, seeds 1 to {RUNS}. Made by
`scripts/tuning-proof.sh {RUNS}`.

## verdict sweep

"Strongest kept": the race may drop the strongest in 5 % of runs at most. "Elo left": how much weaker
than the strongest point the chosen one truly is, on average. "Pairs": played, of what playing all to
the end would take. "Parabola": how far its top is from the true optimum, where one is shown.

| sweep | candidates | pairs each | strongest kept | Elo left | pairs | parabola |
|---|---:|---:|---:|---:|---:|---|
{chr(10).join(sweeps)}

## verdict tune spsa

"Elo left": how much weaker than the best the tuned values truly are, on average and in the worst 5 % of
runs. "Bands": parameters for which the games showed a best value; without one it may be anywhere.
"Missed": those whose interval, of at least 95 %, does not hold the true best value; where all values are
equal, every band is one too many.

| run | parameters | pairs | Elo at the start | Elo left | worst 5 % | bands | missed |
|---|---:|---:|---:|---:|---:|---:|---:|
{chr(10).join(walks)}

## verdict tune clop

The same engine within wide ranges (`{" ".join(ranges)}`), seeds 1 to {SEARCHES}. "Elo left" as above. "In its interval": true
best values that the 95 % interval holds. "Width": of that interval, in widths at which a parameter costs
30 Elo.

| run | parameters | pairs | Elo at the start | Elo left | worst 5 % | in its interval | width |
|---|---:|---:|---:|---:|---:|---:|---:|
{chr(10).join(searches)}
"""
    os.makedirs(OUT, exist_ok=True)
    with open(os.path.join(OUT, "README.md"), "w", encoding="utf-8") as out:
        out.write(text)
    print(text)


main()
