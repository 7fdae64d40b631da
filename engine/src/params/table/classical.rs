//! The evaluation of full boards, beyond the papers: mobility, king danger, threats, outposts, files,
//! pawns and passed pawns by rank, space, and how hard an advantage is to convert.
//!
//! The numbers of these rows are what a family begins from: nought where a fit finds it; those that
//! personality `default` plays by are fitted.

use crate::params::KING_CELLS;

rows! {
    /// Mobility by piece and number of squares.
    piece_mobility: PieceMobility {
        on: bool = false, 0..=1, 1, Switch, "mobility by piece and number of squares", "usual";
        knight_mg: [i32; 9] = [0; 9], -512..=512, 2, Linear, "a knight by its squares, middle game, 1/256 pawn", "usual";
        knight_eg: [i32; 9] = [0; 9], -512..=512, 2, Linear, "a knight by its squares, end game, 1/256 pawn", "usual";
        bishop_mg: [i32; 14] = [0; 14], -512..=512, 2, Linear, "a bishop by its squares, middle game, 1/256 pawn", "usual";
        bishop_eg: [i32; 14] = [0; 14], -512..=512, 2, Linear, "a bishop by its squares, end game, 1/256 pawn", "usual";
        rook_mg: [i32; 15] = [0; 15], -512..=512, 2, Linear, "a rook by its squares, middle game, 1/256 pawn", "usual";
        rook_eg: [i32; 15] = [0; 15], -512..=512, 2, Linear, "a rook by its squares, end game, 1/256 pawn", "usual";
        queen_mg: [i32; 28] = [0; 28], -512..=512, 2, Linear, "a queen by her squares, middle game, 1/256 pawn", "usual";
        queen_eg: [i32; 28] = [0; 28], -512..=512, 2, Linear, "a queen by her squares, end game, 1/256 pawn", "usual";
    }

    /// Danger to a king in units; the value grows with their square.
    king_danger: KingDanger {
        on: bool = false, 0..=1, 1, Switch, "king danger by attackers, weak squares, checks, pins and defenders", "usual";
        attacker: [i32; 4] = [35, 25, 20, 10], -200..=400, 1, NonLinear, "N, B, R, Q that attacks the ring: units, times the number of attackers", "usual";
        attack: i32 = 30, -200..=400, 1, NonLinear, "an attack on a square next to the king, units", "usual";
        weak: i32 = 80, -400..=800, 2, NonLinear, "a weak square of the ring, units", "usual";
        pinned: i32 = 40, -400..=800, 2, NonLinear, "a man that alone stands between the king and a slider, units", "usual";
        safe_check: [i32; 4] = [350, 280, 450, 350], -800..=2000, 4, NonLinear, "N, B, R, Q can give check safely, units", "usual";
        more_checks: i32 = 50, -100..=200, 5, NonLinear, "more for two such squares and more, per cent", "usual";
        unsafe_check: i32 = 60, -400..=800, 2, NonLinear, "a square of a check that is not safe, units", "usual";
        wing_attack: i32 = 6, -100..=200, 1, NonLinear, "a square of the king's wing that is attacked, and again twice, units", "usual";
        wing_defence: i32 = 4, -100..=200, 1, NonLinear, "a square of the king's wing that is defended, units off", "usual";
        no_queen: i32 = 500, 0..=2000, 8, NonLinear, "the enemy has no queen, units off", "usual";
        knight_defence: i32 = 50, -400..=800, 4, NonLinear, "an own knight controls a square next to the king, units off", "usual";
        shelter: i32 = 8, -64..=128, 1, NonLinear, "for each 16/256 pawn of shelter, units off", "usual";
        base: i32 = 0, -1000..=1000, 4, NonLinear, "units to begin with", "usual";
        least_attackers: i32 = 2, 0..=4, 1, NonLinear, "attackers of the ring, a queen anywhere included, below which there is no danger", "usual";
        square_divisor: i32 = 4096, 512..=32768, 256, NonLinear, "the middle game's value is the units' square divided by this, 1/256 pawn", "usual";
        divisor: i32 = 16, 2..=512, 2, NonLinear, "the end game's value is the units divided by this, 1/256 pawn", "usual";
    }

    /// Piece-square tables by king bucket.
    king_squares: KingSquares {
        on: bool = false, 0..=1, 1, Switch, "piece-square tables by king bucket", "usual";
        own_pawn_mg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a pawn by the bucket of its own king (the file's distance from the middle, plus 4 on the second and third rank, 8 beyond) and by its square, the king mirrored to the files e to h; cell: 64 times the bucket plus the square; middle game, 1/256 pawn", "usual";
        own_pawn_eg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a pawn by the bucket of its own king, the same, end game, 1/256 pawn", "usual";
        own_knight_mg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a knight by the bucket of its own king, the same, middle game, 1/256 pawn", "usual";
        own_knight_eg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a knight by the bucket of its own king, the same, end game, 1/256 pawn", "usual";
        own_bishop_mg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a bishop by the bucket of its own king, the same, middle game, 1/256 pawn", "usual";
        own_bishop_eg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a bishop by the bucket of its own king, the same, end game, 1/256 pawn", "usual";
        own_rook_mg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a rook by the bucket of its own king, the same, middle game, 1/256 pawn", "usual";
        own_rook_eg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a rook by the bucket of its own king, the same, end game, 1/256 pawn", "usual";
        own_queen_mg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a queen by the bucket of its own king, the same, middle game, 1/256 pawn", "usual";
        own_queen_eg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a queen by the bucket of its own king, the same, end game, 1/256 pawn", "usual";
        own_king_mg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a king by the bucket of its own king, the same, middle game, 1/256 pawn", "usual";
        own_king_eg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a king by the bucket of its own king, the same, end game, 1/256 pawn", "usual";
        enemy_pawn_mg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a pawn by the bucket of the enemy king, the same, middle game, 1/256 pawn", "usual";
        enemy_pawn_eg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a pawn by the bucket of the enemy king, the same, end game, 1/256 pawn", "usual";
        enemy_knight_mg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a knight by the bucket of the enemy king, the same, middle game, 1/256 pawn", "usual";
        enemy_knight_eg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a knight by the bucket of the enemy king, the same, end game, 1/256 pawn", "usual";
        enemy_bishop_mg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a bishop by the bucket of the enemy king, the same, middle game, 1/256 pawn", "usual";
        enemy_bishop_eg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a bishop by the bucket of the enemy king, the same, end game, 1/256 pawn", "usual";
        enemy_rook_mg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a rook by the bucket of the enemy king, the same, middle game, 1/256 pawn", "usual";
        enemy_rook_eg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a rook by the bucket of the enemy king, the same, end game, 1/256 pawn", "usual";
        enemy_queen_mg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a queen by the bucket of the enemy king, the same, middle game, 1/256 pawn", "usual";
        enemy_queen_eg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a queen by the bucket of the enemy king, the same, end game, 1/256 pawn", "usual";
        enemy_king_mg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a king by the bucket of the enemy king, the same, middle game, 1/256 pawn", "usual";
        enemy_king_eg: [i32; KING_CELLS] = [0; KING_CELLS], -512..=512, 2, Linear, "a king by the bucket of the enemy king, the same, end game, 1/256 pawn", "usual";
    }

    /// The pawns on the king's three files, from that of the king's rank on.
    king_shelter: KingShelter {
        on: bool = false, 0..=1, 1, Switch, "shelter and storm by file and rank", "usual";
        shelter_mg: [i32; 32] = [0; 32], -512..=512, 2, Linear, "own pawn: 8 times the file's distance from the edge, plus its rank, 0 without one; middle game, 1/256 pawn", "usual";
        shelter_eg: [i32; 32] = [0; 32], -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        storm_mg: [i32; 32] = [0; 32], -512..=512, 2, Linear, "enemy pawn that no own pawn stops, by file and rank, middle game, 1/256 pawn", "usual";
        storm_eg: [i32; 32] = [0; 32], -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        blocked_mg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "enemy pawn that an own pawn stops, by its rank, middle game, 1/256 pawn", "usual";
        blocked_eg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
    }

    /// Attacks on men.
    piece_threats: PieceThreats {
        on: bool = false, 0..=1, 1, Switch, "threats by kind of man, hanging men, steps of pawns, disputed squares", "usual";
        pawn_mg: [i32; 5] = [0; 5], -512..=1024, 2, Linear, "a safe pawn attacks P (never), N, B, R, Q; middle game, 1/256 pawn", "usual";
        pawn_eg: [i32; 5] = [0; 5], -512..=1024, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        minor_mg: [i32; 5] = [0; 5], -512..=1024, 2, Linear, "a knight or bishop attacks a weak man or a piece: P, N, B, R, Q; middle game, 1/256 pawn", "usual";
        minor_eg: [i32; 5] = [0; 5], -512..=1024, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        rook_mg: [i32; 5] = [0; 5], -512..=1024, 2, Linear, "a rook attacks a weak man: P, N, B, R, Q; middle game, 1/256 pawn", "usual";
        rook_eg: [i32; 5] = [0; 5], -512..=1024, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        king_mg: i32 = 0, -512..=512, 2, Linear, "the king attacks a weak man, middle game, 1/256 pawn", "usual";
        king_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        hanging_mg: i32 = 0, -512..=512, 2, Linear, "a man without defence, or a piece attacked twice, middle game, 1/256 pawn", "usual";
        hanging_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        queen_only_mg: i32 = 0, -512..=512, 2, Linear, "an attacked man that a queen defends, middle game, 1/256 pawn", "usual";
        queen_only_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        push_mg: i32 = 0, -512..=512, 2, Linear, "a piece that a safe step of a pawn would attack, middle game, 1/256 pawn", "usual";
        push_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        restricted_mg: i32 = 0, -128..=128, 1, Linear, "a square that both control and the enemy not strongly, middle game, 1/256 pawn", "usual";
        restricted_eg: i32 = 0, -128..=128, 1, Linear, "the same, end game, 1/256 pawn", "usual";
        knight_on_queen_mg: i32 = 0, -512..=512, 2, Linear, "a safe square from which a knight would attack the queen, middle game, 1/256 pawn", "usual";
        knight_on_queen_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        slider_on_queen_mg: i32 = 0, -512..=512, 2, Linear, "the same of a bishop or rook with support, middle game, 1/256 pawn", "usual";
        slider_on_queen_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
    }

    /// Knights and bishops.
    minor_pieces: MinorPieces {
        on: bool = false, 0..=1, 1, Switch, "outposts, shelter behind pawns, distance from the king, bishops and pawns", "usual";
        knight_outpost_mg: i32 = 0, -512..=512, 2, Linear, "a knight on an outpost, middle game, 1/256 pawn", "usual";
        knight_outpost_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        bishop_outpost_mg: i32 = 0, -512..=512, 2, Linear, "a bishop on an outpost, middle game, 1/256 pawn", "usual";
        bishop_outpost_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        reachable_mg: i32 = 0, -512..=512, 2, Linear, "a knight that can go to an outpost, middle game, 1/256 pawn", "usual";
        reachable_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        behind_pawn_mg: i32 = 0, -512..=512, 2, Linear, "a pawn of either side right before a knight or bishop, middle game, 1/256 pawn", "usual";
        behind_pawn_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        knight_king_mg: i32 = 0, -128..=128, 1, Linear, "a step between a knight and its king, middle game, 1/256 pawn", "usual";
        knight_king_eg: i32 = 0, -128..=128, 1, Linear, "the same, end game, 1/256 pawn", "usual";
        bishop_king_mg: i32 = 0, -128..=128, 1, Linear, "a step between a bishop and its king, middle game, 1/256 pawn", "usual";
        bishop_king_eg: i32 = 0, -128..=128, 1, Linear, "the same, end game, 1/256 pawn", "usual";
        bishop_pawns_mg: i32 = 0, -128..=128, 1, Linear, "an own pawn on a bishop's colour, middle game, 1/256 pawn", "usual";
        bishop_pawns_eg: i32 = 0, -128..=128, 1, Linear, "the same, end game, 1/256 pawn", "usual";
        bishop_blocked_mg: i32 = 0, -128..=128, 1, Linear, "the same again for each blocked own pawn of the files c to f, middle game, 1/256 pawn", "usual";
        bishop_blocked_eg: i32 = 0, -128..=128, 1, Linear, "the same, end game, 1/256 pawn", "usual";
        bishop_xray_mg: i32 = 0, -128..=128, 1, Linear, "an enemy pawn on a bishop's lines, whatever is between, middle game, 1/256 pawn", "usual";
        bishop_xray_eg: i32 = 0, -128..=128, 1, Linear, "the same, end game, 1/256 pawn", "usual";
        long_diagonal_mg: i32 = 0, -512..=512, 2, Linear, "a bishop sees two squares of the centre, middle game, 1/256 pawn", "usual";
        long_diagonal_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
    }

    /// Rooks and queens.
    heavy_pieces: HeavyPieces {
        on: bool = false, 0..=1, 1, Switch, "rooks by their file, rooks shut in, queens behind the enemy's pawns", "usual";
        open_mg: i32 = 0, -512..=512, 2, Linear, "a rook on a file without pawns, middle game, 1/256 pawn", "usual";
        open_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        half_open_mg: i32 = 0, -512..=512, 2, Linear, "a rook on a file without own pawns, middle game, 1/256 pawn", "usual";
        half_open_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        blocked_mg: i32 = 0, -512..=512, 2, Linear, "a rook on the file of an own pawn that cannot step, middle game, 1/256 pawn", "usual";
        blocked_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        queen_file_mg: i32 = 0, -512..=512, 2, Linear, "a rook on the file of a queen, middle game, 1/256 pawn", "usual";
        queen_file_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        ring_file_mg: i32 = 0, -512..=512, 2, Linear, "a rook on a file of the enemy king's ring, middle game, 1/256 pawn", "usual";
        ring_file_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        shut_mg: i32 = 0, -512..=512, 2, Linear, "a rook with at most three squares beside its king, which may castle; middle game, 1/256 pawn", "usual";
        shut_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        shut_for_good_mg: i32 = 0, -512..=512, 2, Linear, "the same of a king that may not castle, middle game, 1/256 pawn", "usual";
        shut_for_good_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        infiltration_mg: i32 = 0, -512..=512, 2, Linear, "a queen on the enemy's half that no pawn can attack, middle game, 1/256 pawn", "usual";
        infiltration_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
    }

    /// Pawn structure by rank.
    pawn_ranks: PawnRanks {
        on: bool = false, 0..=1, 1, Switch, "connected, isolated, backward, doubled, blocked pawns and candidates by rank", "usual";
        phalanx_mg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "a pawn beside another, enemy pawn on its way, by rank; middle game, 1/256 pawn", "usual";
        phalanx_eg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        phalanx_open_mg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "a pawn beside another, no enemy pawn on its way, by rank; middle game, 1/256 pawn", "usual";
        phalanx_open_eg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        supported_mg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "each pawn that protects it, by rank, middle game, 1/256 pawn", "usual";
        supported_eg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        isolated_mg: [i32; 4] = [0; 4], -512..=512, 2, Linear, "isolated, by the file's distance from the edge, middle game, 1/256 pawn", "usual";
        isolated_eg: [i32; 4] = [0; 4], -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        isolated_open_mg: i32 = 0, -512..=512, 2, Linear, "isolated, no enemy pawn on its way, middle game, 1/256 pawn", "usual";
        isolated_open_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        backward_mg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "behind all its neighbours and stopped by an enemy pawn, by rank, middle game, 1/256 pawn", "usual";
        backward_eg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        backward_open_mg: i32 = 0, -512..=512, 2, Linear, "the same, no enemy pawn on its way, middle game, 1/256 pawn", "usual";
        backward_open_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        doubled_mg: [i32; 4] = [0; 4], -512..=512, 2, Linear, "an own pawn right behind and none that protects, by the file's distance from the edge, middle game, 1/256 pawn", "usual";
        doubled_eg: [i32; 4] = [0; 4], -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        lever_mg: i32 = 0, -512..=512, 2, Linear, "two enemy pawns attack it and none protects it, middle game, 1/256 pawn", "usual";
        lever_eg: i32 = 0, -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        blocked_mg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "an enemy pawn right before it, by rank, middle game, 1/256 pawn", "usual";
        blocked_eg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        candidate_mg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "a candidate: free way, as many helpers as guards, by rank, middle game, 1/256 pawn", "usual";
        candidate_eg: [i32; 8] = [0; 8], -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
    }

    /// Passed pawns by rank.
    passers: Passers {
        on: bool = false, 0..=1, 1, Switch, "passed pawns by rank, kings and way", "usual";
        rank_mg: [i32; 8] = [0; 8], -1024..=1024, 4, Linear, "by rank, middle game, 1/256 pawn", "usual";
        rank_eg: [i32; 8] = [0; 8], -1024..=1024, 4, Linear, "by rank, end game, 1/256 pawn", "usual";
        file_mg: [i32; 4] = [0; 4], -512..=512, 2, Linear, "by the file's distance from the edge, middle game, 1/256 pawn", "usual";
        file_eg: [i32; 4] = [0; 4], -512..=512, 2, Linear, "the same, end game, 1/256 pawn", "usual";
        own_king: [i32; 64] = [0; 64], -1024..=1024, 2, Linear, "8 times the rank, plus the own king's steps to the square before it, end game, 1/256 pawn", "usual";
        enemy_king: [i32; 64] = [0; 64], -1024..=1024, 2, Linear, "8 times the rank, plus the enemy king's steps to the square before it, end game, 1/256 pawn", "usual";
        free_mg: [i32; 8] = [0; 8], -1024..=1024, 4, Linear, "the square before it is empty, by rank, middle game, 1/256 pawn", "usual";
        free_eg: [i32; 8] = [0; 8], -1024..=1024, 4, Linear, "the same, end game, 1/256 pawn", "usual";
        safe_stop_mg: [i32; 8] = [0; 8], -1024..=1024, 4, Linear, "that square is not attacked, by rank, middle game, 1/256 pawn", "usual";
        safe_stop_eg: [i32; 8] = [0; 8], -1024..=1024, 4, Linear, "the same, end game, 1/256 pawn", "usual";
        safe_way_mg: [i32; 8] = [0; 8], -1024..=1024, 4, Linear, "no square of its way is attacked or has an enemy, by rank, middle game, 1/256 pawn", "usual";
        safe_way_eg: [i32; 8] = [0; 8], -1024..=1024, 4, Linear, "the same, end game, 1/256 pawn", "usual";
        defended_mg: [i32; 8] = [0; 8], -1024..=1024, 4, Linear, "the square before it is defended, by rank, middle game, 1/256 pawn", "usual";
        defended_eg: [i32; 8] = [0; 8], -1024..=1024, 4, Linear, "the same, end game, 1/256 pawn", "usual";
    }

    /// Safe squares behind the own pawns.
    space: Space {
        on: bool = false, 0..=1, 1, Switch, "space for the pieces, middle game", "usual";
        square: [i32; 17] = [0; 17], -64..=128, 1, Linear, "a safe square, by the number of own men, 1/256 pawn", "usual";
    }

    /// The right to move.
    tempo: Tempo {
        on: bool = false, 0..=1, 1, Switch, "points for the side to move", "usual";
        move_mg: i32 = 0, -256..=512, 2, Linear, "the right to move, middle game, 1/256 pawn", "usual";
        move_eg: i32 = 0, -256..=512, 2, Linear, "the right to move, end game, 1/256 pawn", "usual";
    }

    /// How hard an advantage of the end game is to convert.
    winnable: Winnable {
        on: bool = false, 0..=1, 1, Switch, "the end game's advantage grows and shrinks by kings and pawns", "usual";
        passer: i32 = 18, -128..=256, 2, NonLinear, "a passed pawn of either side, 1/256 pawn", "usual";
        pawn: i32 = 24, -128..=256, 2, NonLinear, "a pawn of either side, 1/256 pawn", "usual";
        outflanking: i32 = 18, -128..=256, 2, NonLinear, "files between the kings plus ranks between them, White's less Black's, 1/256 pawn", "usual";
        both_wings: i32 = 40, -256..=512, 2, NonLinear, "pawns on both wings, 1/256 pawn", "usual";
        infiltration: i32 = 48, -256..=512, 2, NonLinear, "a king on the enemy's half, 1/256 pawn", "usual";
        pawn_ending: i32 = 100, -256..=512, 4, NonLinear, "no pieces, 1/256 pawn", "usual";
        one_wing: i32 = 80, -256..=512, 4, NonLinear, "pawns on one wing and the kings on the better side of each other, 1/256 pawn off", "usual";
        base: i32 = -220, -1024..=1024, 4, NonLinear, "to begin with, 1/256 pawn", "usual";
    }

    /// The share of the end game's advantage that is left.
    scale: Scale {
        on: bool = false, 0..=1, 1, Switch, "the end game's advantage is scaled by what is left on the board", "usual";
        base: i32 = 36, 0..=128, 2, NonLinear, "without own pawns, in 64ths", "usual";
        pawn: i32 = 7, -32..=64, 1, NonLinear, "more for each own pawn, in 64ths", "usual";
        bishops_alone: i32 = 18, 0..=128, 2, NonLinear, "opposite bishops and no other pieces, in 64ths", "usual";
        bishops_passer: i32 = 6, -32..=64, 1, NonLinear, "more for each own passed pawn then, in 64ths", "usual";
        bishops: i32 = 24, 0..=128, 2, NonLinear, "opposite bishops and other pieces, in 64ths", "usual";
        bishops_man: i32 = 3, -32..=64, 1, NonLinear, "more for each own man then, in 64ths", "usual";
        rooks: i32 = 36, 0..=128, 2, NonLinear, "a rook each, in 64ths", "usual";
        rooks_pawn: i32 = 5, -32..=64, 1, NonLinear, "more for each own pawn then, in 64ths", "usual";
    }
}
