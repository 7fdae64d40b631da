//! Opening books: read, checked, made, put in order.
