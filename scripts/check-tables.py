#!/usr/bin/env python3
"""Checks `verdict tables count --json` against an independent count by python-chess: equal to the
last game and position, or it says where not and fails.

It shares nothing with verdict but the contract: a balance of material counts once per game with a
decided result in which it stood after any half-move, the start position included; men on squares
count in every position from half-move 16 on, of all games; the middle game lasts while both sides'
pieces together (N 3, B 3, R 5, Q 9) exceed 26; a position after one of the first 15 moves of each side
counts once per game that reached it, with the results of the side that moved there. Games with a move
that is not legal, with null moves or with a start position that python-chess refuses count for nothing.
Slow: some 100 games a second.

Usage: scripts/check-tables.py GAMES.pgn COUNTS.json     compare
       scripts/check-tables.py GAMES.pgn --write FILE    count, and write the JSON
Needs python-chess: pip install chess
"""
import collections
import io
import json
import sys

try:
    import chess
    import chess.pgn
    import chess.polyglot
except ImportError:
    sys.exit("check-tables: python-chess is missing: pip install chess")

LIMITS = [8, 8, 2, 2, 2, 2, 2, 2, 1, 1]
ORDER = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN]
WORTH = {chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
OPENING_PLIES = 30
RESULTS = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}


class Game(chess.pgn.GameBuilder):
    """Keeps the result after the moves beside the tag's."""

    def begin_game(self):
        super().begin_game()
        self.token = None

    def visit_result(self, result):
        self.token = result
        super().visit_result(result)

    def result(self):
        game = super().result()
        game.token = self.token
        return game


def position_key(board):
    """Polyglot's, with the en passant file only where that is legal."""
    if board.ep_square is not None and not board.has_legal_en_passant():
        board = board.copy(stack=False)
        board.ep_square = None
    return f"{chess.polyglot.zobrist_hash(board):016x}"


def counts(file):
    openings = collections.defaultdict(lambda: [0, 0, 0, 0])
    mit = collections.defaultdict(lambda: [0, 0, 0])
    pst = {
        phase: {letter: [0] * 64 for letter in "PNBRQKpnbrqk"} for phase in ("middlegame", "endgame")
    }
    games = bad = 0
    while True:
        game = chess.pgn.read_game(file, Visitor=Game)
        if game is None:
            break
        games += 1
        moves = list(game.mainline_moves())
        if game.errors or chess.Move.null() in moves:
            bad += 1
            continue
        tag = game.headers.get("Result", "*")
        token = game.token
        if tag in RESULTS and token in RESULTS and tag != token:
            result = None
        else:
            result = RESULTS.get(tag, RESULTS.get(token))
        board = game.board()
        cells = set()
        reached = {}
        for ply in range(len(moves) + 1):
            if ply > 0:
                board.push(moves[ply - 1])
            men = board.piece_map()
            census = collections.Counter((man.piece_type, man.color) for man in men.values())
            cell = [census[kind, colour] for kind in ORDER for colour in (True, False)]
            if all(count <= limit for count, limit in zip(cell, LIMITS)):
                cells.add(" ".join(map(str, cell)))
            if 0 < ply <= OPENING_PLIES:
                reached[position_key(board)] = not board.turn
            if ply >= 16:
                pieces = sum(WORTH.get(man.piece_type, 0) for man in men.values())
                table = pst["middlegame" if pieces > 26 else "endgame"]
                for square, man in men.items():
                    table[man.symbol()][square] += 1
        if result is not None:
            for cell in cells:
                mit[cell][result] += 1
        for key, white in reached.items():
            openings[key][3 if result is None else result if white else 2 - result] += 1
    print(f"check-tables: {games} games, {bad} of them bad", file=sys.stderr)
    return {"mit": dict(mit), "pst": pst, "openings": dict(openings)}


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as file:
        raw = file.read()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    slow = counts(io.StringIO(text))
    if sys.argv[2] == "--write":
        with open(sys.argv[3], "w") as file:
            json.dump(slow, file, separators=(",", ":"), sort_keys=True)
            file.write("\n")
        return
    with open(sys.argv[2]) as file:
        fast = json.load(file)
    differences = []
    for what in ("mit", "openings"):
        for key in sorted(set(slow[what]) | set(fast[what])):
            expected, found = slow[what].get(key), fast[what].get(key)
            if expected != found:
                differences.append(f"{what} {key}: expected {expected}, found {found}")
    for phase, tables in slow["pst"].items():
        for letter, table in tables.items():
            for square, expected in enumerate(table):
                found = fast["pst"][phase][letter][square]
                if expected != found:
                    where = chess.square_name(square)
                    differences.append(f"pst {phase} {letter} {where}: expected {expected}, found {found}")
    for difference in differences[:20]:
        print(difference)
    if differences:
        sys.exit(f"check-tables: {len(differences)} numbers differ")
    cells, men = len(slow["mit"]), sum(map(sum, (t for p in slow["pst"].values() for t in p.values())))
    keys = len(slow["openings"])
    print(f"check-tables: all equal: {cells} balances of material, {men} men on squares, {keys} openings")


if __name__ == "__main__":
    main()
