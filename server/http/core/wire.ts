type WireName<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${WireName<Tail>}`
  : Name

type WireValue<Value> = Value extends Date ? string : Value extends readonly (infer Item)[] ? Item[] : Value

type Wire<Row, Name extends keyof Row & string> = { [N in Name as WireName<N>]: WireValue<Row[N]> }

/** Properties of a row in wire format: their names in snake case, dates as ISO 8601 in UTC. */
export function toWire<Row, const Name extends keyof Row & string>(row: Row, names: readonly Name[]): Wire<Row, Name> {
  const entries = names.map((name) => {
    const value = row[name]
    const wireName = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return [wireName, value instanceof Date ? value.toISOString() : value]
  })
  return Object.fromEntries(entries) as Wire<Row, Name>
}
