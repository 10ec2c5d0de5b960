import { describe, expect, it } from 'vitest'
import { fillTemplate, parseTemplate, variablesOf } from '../../../contract/mail/merge-variables.ts'
import { alreadyRegisteredMail, confirmationMail, passwordChangedMail, resetMail } from './account-mail.ts'
import type { NewMessage } from '../messages/message.ts'

const from = { workspaceId: 'w', mailboxId: 'c', address: 'no-reply@mail.example' }
const to = { id: 'm', from, to: 'ada@example.com', firstName: 'Ada', link: 'https://mail.example/x/rp_1' }
const mails: [name: string, subject: string, message: NewMessage][] = [
  ['confirmation', 'Confirm your email address', confirmationMail({ ...to, lifeHours: 24 })],
  ['reset', 'Reset your password', resetMail({ ...to, lifeMinutes: 30 })],
  ['changed password', 'Your password was changed', passwordChangedMail(to)],
  ['already registered', 'You already have an account', alreadyRegisteredMail(to)],
]
const htmlOf = ({ content, context }: NewMessage) => fillTemplate(parseTemplate(content), context)

describe.each(mails)('the %s mail', (_name, subject, message) => {
  it('is sent from the system mailbox to its one recipient, with a sealed context', () => {
    expect(message).toMatchObject({
      subject,
      isHtml: true,
      fromAddress: from.address,
      recipients: ['ada@example.com'],
      sealContext: true,
    })
  })

  it('fills every variable, and has one link target, on its button and in full below', () => {
    const variables = variablesOf(parseTemplate(message.content))
    expect(Object.keys(message.context)).toEqual(expect.arrayContaining(variables))
    const html = htmlOf(message)
    expect(html).toContain('Hello Ada,')
    expect([...html.matchAll(/https?:[^\s"<]+/g)].map(([url]) => url)).toEqual([to.link, to.link])
  })

  it('is laid out in tables with inline styles, and loads nothing', () => {
    const html = htmlOf(message)
    const tables = html.match(/<table[^>]*>/g) ?? []
    expect(tables.length).toBeGreaterThanOrEqual(3)
    for (const table of tables) expect(table).toContain('role="presentation"')
    expect(html).not.toMatch(/<(img|link|script|iframe|form|div)\b|url\(|@import|flex|grid|position:/)
    expect(html).toMatch(/<html lang="en">/)
    expect(Buffer.byteLength(html)).toBeLessThan(102_400) // Gmail clips a longer one.
  })

  it('sets colours for light and dark mode, each text with its background', () => {
    const html = htmlOf(message)
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
    for (const element of html.match(/<(h1|p)\b[^>]*>/g) ?? []) {
      expect(element).toMatch(/class="(ink|quiet|brand)"/)
      expect(element).toMatch(/color:#/)
    }
    expect(html.match(/bgcolor="#/g)).toHaveLength(3)
  })
})

it.each([
  'Click http://evil.example now',
  '<img src=x onerror=1>',
  'evil.example',
  'a'.repeat(41),
  'Ada\r\nBcc: x@example.com',
  '',
])('H06 a name like %j is omitted from the greeting', (firstName) => {
  const html = htmlOf(confirmationMail({ ...to, firstName, lifeHours: 24 }))
  expect(html).toContain('>Hello,</p>')
  expect(html).not.toMatch(/evil|onerror|Bcc/)
})

it.each(['Ada', 'Ann-Sofie', "D'Arcy", 'Jürgen', '李', 'José María'])('greets %s by name', (firstName) => {
  expect(confirmationMail({ ...to, firstName, lifeHours: 24 }).context['greeting']).toBe(`Hello ${firstName},`)
})
