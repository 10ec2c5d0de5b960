import { describe, expect, it } from 'vitest'
import { readTemplate } from './template-record.ts'
import { filledBody, filledSubject } from './template-preview.ts'

const record = { id: 't', subject: 'Outer', body: '<p>x</p>', context: ['a'], key: 'outer-1' }

describe('parsing a template', () => {
  it("TEMPLATES-18 a record's nested data object is merged over the record", () => {
    const read = readTemplate({ ...record, data: { subject: 'Inner', context: ['b'] } }, 'own')
    expect(read).toMatchObject({ id: 't', subject: 'Inner', body: '<p>x</p>', context: ['b'], key: 'outer-1' })
  })

  it('TEMPLATES-19 a record may carry updatedAt and createdAt', () => {
    const dates = { createdAt: '2025-08-14T09:30:00.000Z', updatedAt: '2025-08-15T09:30:00.000Z' }
    expect(readTemplate({ ...record, ...dates }, 'own')).toMatchObject(dates)
    expect(readTemplate(record, 'own')).toMatchObject({ createdAt: null, updatedAt: null })
  })

  it.each([
    ['One two three four five six', 'One two three four five…'],
    ['Doors open, {{ first_name | default: "friend" }}', 'Doors open, friend'],
    ['Doors open on {{ day }} for {{ name }} and you', 'Doors open on {{day}} for…'],
    ['  ', 'outer-1'],
  ])('%s has the name %s', (subject, name) => {
    expect(readTemplate({ ...record, subject }, 'own').name).toBe(name)
  })

  it('a name in data overrides the subject', () => {
    expect(readTemplate({ id: 'g', data: { name: 'Welcome', subject: 'Hello there' } }, 'global').name).toBe('Welcome')
  })

  it.each([
    { data: null },
    { data: [] },
    { subject: 7 },
    { context: 'x' },
    { context: [1, 'a'] },
    { sample: { a: 1 } },
  ])('an invalid value is read as empty: %j', (odd) => {
    const read = readTemplate({ id: 'g', ...odd }, 'global')
    expect(read).toMatchObject({ subject: '', body: '', sample: {} })
    expect(read.context.every((tag) => typeof tag === 'string')).toBe(true)
  })
})

describe('a subject preview', () => {
  it.each([
    ['its default', 'Hi {{first_name | default: "friend"}}!', 'Hi friend!'],
    ['its name', 'Hi {{first_name}}!', 'Hi {{first_name}}!'],
    ['what cannot be read', 'Hi {{first_name', 'Hi {{first_name'],
  ])('replaces a variable by %s', (_, subject, expected) => {
    expect(filledSubject(subject, {})).toBe(expected)
    expect(readTemplate({ id: 't', data: { subject } }, 'own').name).toBe(expected)
  })

  it('uses the sample before a default', () => {
    expect(filledSubject('Hi {{name | default: "friend"}}', { name: 'Ada' })).toBe('Hi Ada')
  })
})

describe('a body preview', () => {
  it('has its sample filled in, escaped', () => {
    expect(filledBody({ body: '<p>{{name}}</p>', sample: { name: '<b>' } })).toBe('<p>&lt;b&gt;</p>')
  })

  it('uses escaped defaults without a sample, and nothing without a default', () => {
    const body = '<p>Dear {{first_name | default: "friend & guest"}}{{comma}}</p>'
    expect(filledBody({ body, sample: {} })).toBe('<p>Dear friend &amp; guest</p>')
  })

  it('is unchanged when a variable cannot be parsed', () => {
    expect(filledBody({ body: '<p>{{name</p>', sample: { name: 'x' } })).toBe('<p>{{name</p>')
  })
})
