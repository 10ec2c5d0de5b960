const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text names a row: anything else names none, and is never sent to the database. */
export function isRowId(text: string): boolean {
  return uuid.test(text)
}
