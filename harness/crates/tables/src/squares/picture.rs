//! Tables as heat maps: two rows of six boards, the middle game above, the eighth rank on top.

use std::io;

use super::super::count::pst::Phase;
use super::{ROLES, SquareTables};
use charts::html::text as escaped;

const SQUARE: usize = 28;
const GAP: usize = 20;
/// Height of a board's title.
const NAME: usize = 22;
const BOARD: usize = 8 * SQUARE;
const WIDTH: usize = 6 * BOARD + 7 * GAP;
const HEIGHT: usize = 2 * (BOARD + NAME + GAP) + GAP;

fn corner(phase: Phase, role: usize) -> (usize, usize) {
    let x = GAP + role * (BOARD + GAP);
    let y = GAP + NAME + phase as usize * (BOARD + NAME + GAP);
    (x, y)
}

/// Blue for the least of a table, white between, red for the most.
fn colour(value: i32, table: &[i32; 64]) -> [u8; 3] {
    let (least, most) = table.iter().fold((i32::MAX, i32::MIN), |(a, b), &v| (a.min(v), b.max(v)));
    if least == most {
        return [245, 245, 245];
    }
    let share = f64::from(value - least) / f64::from(most - least);
    let (from, to, part) = if share < 0.5 {
        ([58.0, 101.0, 172.0], [245.0, 245.0, 245.0], 2.0 * share)
    } else {
        ([245.0, 245.0, 245.0], [190.0, 45.0, 50.0], 2.0 * share - 1.0)
    };
    std::array::from_fn(|i| (from[i] + part * (to[i] - from[i])) as u8)
}

/// Each square of each board: corner, value, colour.
fn cells(tables: &SquareTables) -> impl Iterator<Item = ((usize, usize), i32, [u8; 3])> + '_ {
    let boards = Phase::ALL.into_iter().flat_map(|phase| (0..6).map(move |role| (phase, role)));
    boards.flat_map(move |(phase, role)| {
        let table = tables.table(phase, role);
        let (x, y) = corner(phase, role);
        table.iter().enumerate().map(move |(square, &value)| {
            let place = (x + square % 8 * SQUARE, y + (7 - square / 8) * SQUARE);
            (place, value, colour(value, table))
        })
    })
}

pub fn heat_map_svg(tables: &SquareTables) -> String {
    let meaning = escaped(&tables.meaning);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         font-family=\"sans-serif\">\n<title>Piece-square tables: {meaning}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
    );
    for phase in Phase::ALL {
        for (role, name) in ROLES.iter().enumerate() {
            let (x, y) = corner(phase, role);
            svg += &format!(
                "<text x=\"{x}\" y=\"{}\" font-size=\"14\">{name}, {phase}</text>\n",
                y - 6
            );
        }
    }
    for ((x, y), value, [red, green, blue]) in cells(tables) {
        let (middle, base) = (x + SQUARE / 2, y + SQUARE / 2 + 3);
        // Letters must be read on dark squares, too.
        let ink =
            if u32::from(red) + u32::from(green) + u32::from(blue) < 420 { "#fff" } else { "#222" };
        svg += &format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" \
             fill=\"#{red:02x}{green:02x}{blue:02x}\" stroke=\"#ccc\" stroke-width=\".5\"/>\
             <text x=\"{middle}\" y=\"{base}\" font-size=\"9\" text-anchor=\"middle\" \
             fill=\"{ink}\">{value}</text>\n"
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The SVG on an HTML page.
pub fn heat_map_html(tables: &SquareTables) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Piece-square tables</title>\n\
         <style>body{{font:16px/1.5 sans-serif;margin:1rem}}div{{overflow-x:auto}}\
         svg{{min-width:60rem;width:100%}}</style>\n</head>\n<body>\n<h1>Piece-square tables</h1>\n\
         <p>{}. White's side, the eighth rank on top; blue is the least of a table, red the most.</p>\n\
         <div>{}</div>\n</body>\n</html>\n",
        escaped(&tables.meaning),
        heat_map_svg(tables)
    )
}

/// Without letters.
pub fn heat_map_png(tables: &SquareTables) -> io::Result<Vec<u8>> {
    let mut rgb = vec![[255; 3]; WIDTH * HEIGHT];
    for ((x, y), _, colour) in cells(tables) {
        // A line of the background parts the squares.
        for row in y..y + SQUARE - 1 {
            rgb[row * WIDTH + x..][..SQUARE - 1].fill(colour);
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, WIDTH as u32, HEIGHT as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(rgb.as_flattened())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::tests::sample;
    use super::*;

    #[test]
    fn a_picture_of_768_squares() {
        let svg = heat_map_svg(&sample());
        assert_eq!(svg.matches("<rect").count(), 768 + 1);
        assert_eq!(svg.matches("<text").count(), 768 + 12);
        assert!(heat_map_html(&sample()).contains("</svg>"));
    }

    #[test]
    fn a_png_holds_its_pixels() {
        let bytes = heat_map_png(&sample()).expect("a picture");
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a header");
        let mut pixels = vec![0; reader.output_buffer_size().expect("small")];
        let frame = reader.next_frame(&mut pixels).expect("pixels");
        assert_eq!((frame.width, frame.height), (WIDTH as u32, HEIGHT as u32));
        // The pawn table's greatest number is on a1, its least on h8.
        let pixel = |x: usize, y: usize| &pixels[3 * (y * WIDTH + x)..][..3];
        assert_eq!(pixel(GAP + 3, GAP + NAME + BOARD - 5), [190, 45, 50]);
        assert_eq!(pixel(GAP + BOARD - 5, GAP + NAME + 3), [58, 101, 172]);
    }
}
