/** The full hour after the next one, on the visitor's clock, as a `datetime-local` control takes it. */
export function inAnHour(): string {
  const at = new Date(Date.now() + 3_600_000)
  at.setMinutes(0, 0, 0)
  at.setHours(at.getHours() + 1)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:00`
}

/** A time as a zone's clocks show it, as a `datetime-local` control takes it. */
export function localTime(iso: string, timeZone: string): string {
  // The Swedish format of dates is that of the control.
  return new Date(iso).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).replace(' ', 'T')
}
