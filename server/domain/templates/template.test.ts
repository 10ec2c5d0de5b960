import { expect, it } from 'vitest'
import { templateKey } from './template.ts'

it('the key of a template has up to 40 characters of its subject and the last 8 of its id', () => {
  const id = '0198f2c4-1a2b-7c3d-8e4f-0123456789ab'
  expect(templateKey('s'.repeat(40), id)).toBe(`${'s'.repeat(40)}-456789ab`)
  expect(templateKey('s'.repeat(41), id)).toBe(`${'s'.repeat(40)}-456789ab`)
  expect(templateKey(`${'s'.repeat(39)} s`, id)).toBe(`${'s'.repeat(39)}-456789ab`)
  expect(templateKey('{{name}}', id)).toBe('template-456789ab')
})
