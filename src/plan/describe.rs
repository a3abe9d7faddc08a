//! A plan in words and bytes, for `explain`.
use super::Plan;
/// Placeholder.
pub fn describe(_plan: &Plan) -> String {
    String::new()
}
