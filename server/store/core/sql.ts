/** Properties of row types are in camel case, their columns in snake case; columns with a mailbox's id are named `config_id`. */
const columnOf = (property: string): string =>
  property.replace(/mailbox(?=Ids?$)/, 'config').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A select list of columns under the property names of their row type: `id, first_name as "firstName"`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- checks the names against the row type.
export function selectList<Row>(...properties: (readonly (keyof Row & string)[])[]): string {
  return selectListOf<Row>('', ...properties)
}

/** The same with the name or alias of a table in front of each column: `u.id, u.first_name as "firstName"`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- checks the names against the row type.
export function selectListOf<Row>(table: string, ...properties: (readonly (keyof Row & string)[])[]): string {
  const prefix = table === '' ? '' : `${table}.`
  return properties
    .flat()
    .map((property) => {
      const column = columnOf(property)
      return column === property ? prefix + column : `${prefix}${column} as "${property}"`
    })
    .join(', ')
}

/** The list of an UPDATE's SET for the properties that are defined; its parameters are numbered from `first`. */
export function setList(changes: object, first: number): { sql: string; values: unknown[] } {
  const defined = Object.entries(changes).filter(([, value]) => value !== undefined)
  return {
    sql: defined.map(([property], index) => `${columnOf(property)} = $${first + index}`).join(', '),
    values: defined.map(([, value]) => value as unknown),
  }
}
