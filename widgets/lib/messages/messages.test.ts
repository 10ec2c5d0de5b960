import { describe, expect, expectTypeOf, it } from 'vitest'
import { english, type Translate, type ValuesOf } from './messages.ts'
import { createTranslate } from './translate.ts'

const recipients = '{count} recipient|{count} recipients'
const arabic = {
  other: '{count} مستلم',
  one: 'مستلم واحد',
  two: 'مستلمان',
  few: '{count} مستلمين',
}

describe('a message', () => {
  it('is its own English text, with its values', () => {
    const t = english
    expect(t('Send')).toBe('Send')
    expect(t('{sent} of {all}', { sent: 'one', all: 'two' })).toBe('one of two')
  })

  it('has the plural form that Intl.PluralRules gives for its count', () => {
    const t = english
    expect([0, 1, 2].map((count) => t(recipients, { count }))).toEqual(['0 recipients', '1 recipient', '2 recipients'])
  })

  it('has every plural form of another language', () => {
    const t = createTranslate('ar-EG-u-nu-latn', (id) => (id === recipients ? arabic : undefined))
    const shown = [1, 2, 3, 100].map((count) => t(recipients, { count }))
    expect(shown).toEqual(['مستلم واحد', 'مستلمان', '3 مستلمين', '100 مستلم'])
  })

  it('formats its numbers in the language', () => {
    const t = createTranslate('es', () => '{count} de {all}')
    expect(t('{count} of {all}', { count: 12_345, all: 20_000 })).toBe('12.345 de 20.000')
  })

  it('is English when the language has no translation', () => {
    expect(createTranslate('es', () => undefined)('Send')).toBe('Send')
  })

  it('returns a text of the server unchanged, braces and bars included', () => {
    const detail = ['Use {{name | default: "friend"}}', 'or {name}.'].join(' ')
    expect(english(detail)).toBe(detail)
  })
})

it('types: an unknown id, a missing value and a wrong placeholder do not compile', () => {
  const t = english as Translate<'Send' | '{sent} of {all}'>
  expectTypeOf<ValuesOf<'Send'>>().toEqualTypeOf<[]>()
  // @ts-expect-error -- no such id
  t('Sent')
  // @ts-expect-error -- a value is missing
  t('{sent} of {all}')
  // @ts-expect-error -- a placeholder has another name
  t('{sent} of {all}', { sent: 1, al: 2 })
  t('{sent} of {all}', { sent: 1, all: 2 })
})
