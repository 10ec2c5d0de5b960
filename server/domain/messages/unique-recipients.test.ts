import { describe, expect, it } from 'vitest'
import { uniqueRecipients } from './unique-recipients.ts'

describe('uniqueRecipients', () => {
  it('H29 spellings of one address are one recipient, in the order of their first occurrence', () => {
    const list = ['Bob@example.com', 'ann@example.com', ' bob@EXAMPLE.com ', 'ann@example.com', 'eve@example.com']
    expect(uniqueRecipients(list)).toEqual({
      ok: true,
      addresses: ['Bob@example.com', 'ann@example.com', 'eve@example.com'],
    })
  })

  it('H28 one invalid item rejects the whole list and is named by its position', () => {
    const list = ['ann@example.com', 'a@x.com\r\nBcc: e@e.com', 'bob@example.com', 'a@x.com, b@y.com']
    expect(uniqueRecipients(list)).toEqual({
      ok: false,
      refused: [
        {
          index: 1,
          problem: 'control',
          sentence: 'Recipient 2 contains a line break or a control character; remove it.',
        },
        {
          index: 3,
          problem: 'several',
          sentence: 'Recipient 4 contains more than one address; add each as a separate entry.',
        },
      ],
    })
  })

  it('an error does not repeat the address', () => {
    const result = uniqueRecipients(['secret.person@nowhere'])
    expect(JSON.stringify(result)).not.toContain('secret.person')
  })

  it('an empty list has no recipients', () => {
    expect(uniqueRecipients([])).toEqual({ ok: true, addresses: [] })
  })
})
