const firstNames = [
  'Ada',
  'Bo',
  'Chloé',
  'Dmitri',
  'Elif',
  'Fatima',
  'Grace',
  'Hüseyin',
  'Inês',
  'Jürgen',
  'Kai',
  'Léa',
]
const lastNames = ['Lovelace', 'Müller', 'Ferrari', 'Kowalski', 'Nguyen', 'Okafor', 'Park', 'Quist', 'Rossi', 'Silva']
const cities = ['Berlin', 'Hamburg', 'München', 'Paris', 'Lyon', 'Madrid', 'Roma', 'Wien', 'Zürich', 'Porto', 'Oslo']
const plans = ['free', 'team', 'business', 'enterprise']
const domainsCount = 997

/** Columns of the file; the first one has the address. */
export const peopleColumns = [
  'email',
  'first_name',
  'last_name',
  'city',
  'company',
  'plan',
  'score',
  'member_since',
  'is_partner',
  'note',
] as const

const pick = <T>(values: readonly T[], at: number): T => values[at % values.length] as T
/** Spreads neighbouring numbers, always in the same way. */
const spread = (at: number) => Math.imul(at + 1, 0x9e3779b1) >>> 0

/** The address of a row; no two rows have the same. */
export function emailOf(at: number): string {
  return `${pick(firstNames, spread(at))
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase()}.${at}@mail${spread(at) % domainsCount}.example.com`
}

function rowOf(at: number): string {
  const seed = spread(at)
  return [
    emailOf(at),
    pick(firstNames, seed),
    `${pick(lastNames, seed >>> 3)}${seed % 5000}`,
    pick(cities, seed >>> 5),
    `"Company ${seed % 20_000}, Ltd"`,
    pick(plans, seed >>> 7),
    String(seed % 1000),
    `20${10 + (seed % 16)}-${String((seed % 12) + 1).padStart(2, '0')}-${String((seed % 28) + 1).padStart(2, '0')}`,
    seed % 3 === 0 ? 'true' : 'false',
    `Met at fair ${seed % 365}`,
  ].join(',')
}

/** A CSV file with so many people, 10 columns each. */
export function peopleCsv(count: number): Buffer {
  const pieces: Buffer[] = [Buffer.from(`${peopleColumns.join(',')}\n`)]
  for (let start = 0; start < count; start += 10_000) {
    const rows = Array.from({ length: Math.min(10_000, count - start) }, (_, at) => rowOf(start + at))
    pieces.push(Buffer.from(`${rows.join('\n')}\n`))
  }
  return Buffer.concat(pieces)
}
