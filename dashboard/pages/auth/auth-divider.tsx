/** The line between a form and another way in. */
export function EntryAlternative() {
  return <p className="entry-alternative">or</p>
}
