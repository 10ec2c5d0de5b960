import { beforeEach, describe, expect, it } from 'vitest'
import type { DeliverabilityCheck } from '../../../contract/checks/deliverability.ts'
import type { Design } from '../../../contract/design/design.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { bodyOf, sampleDesign, sampleRow, textBlock } from '../../../tests/support/design-samples.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: '1 Main Street' } })
})

let count = 0
const someone = () => `design${++count}@example.com`

/** Sends a design as a campaign; returns the mail of each recipient, in their order. */
async function sent(design: Design, contexts: readonly Record<string, string>[], more: object = {}) {
  const recipients = contexts.map((context) => ({ email: someone(), context }))
  const fields = { subject: 'News', design, config_id: user.mailboxId, recipients, ...more }
  const created = await server.call('POST', '/email/campaign', { token: user.token, body: fields })
  expect(created.status, created.text).toBe(201)
  const { id } = created.body as Campaign
  await server.call('POST', `/email/campaign/${id}/launch`, { token: user.token, body: {} })
  return Promise.all(
    recipients.map(async ({ email }) => {
      const [mail] = await server.mailsTo(email)
      return { subject: mail?.subject ?? '', html: mail?.html ?? '', text: mail?.text ?? '' }
    }),
  )
}

describe('a campaign with a design', () => {
  it("CANVAS-13 has a row with the condition that `plan` is 'pro' in the mails of recipients whose `plan` is 'pro' or 'PRO', and in no mail of one with another, an empty or no value", async () => {
    const design = sampleDesign([
      sampleRow([textBlock('a', 'For everybody')]),
      sampleRow([textBlock('b', 'For professionals')], { showIf: { variable: 'plan', operator: 'is', value: 'pro' } }),
    ])
    const mails = await sent(design, [{ plan: 'pro' }, { plan: 'PRO' }, { plan: 'free' }, { plan: '' }, {}])
    expect(mails.map(({ html }) => html.includes('For everybody'))).toEqual([true, true, true, true, true])
    expect(mails.map(({ html }) => html.includes('For professionals'))).toEqual([true, true, false, false, false])
    expect(mails.map(({ text }) => text.includes('For professionals'))).toEqual([true, true, false, false, false])
    expect(mails.some(({ html, text }) => (html + text).includes('{{'))).toBe(false)
  })

  it('CANVAS-15 fills a merge variable in the link of a button, in the subject and in the preheader for each recipient', async () => {
    const button = { id: 'b', type: 'button' as const, label: 'Your places', href: 'https://example.com/p/{{code}}' }
    const design = sampleDesign([sampleRow([button])], { preheader: 'Two places for {{first_name}}' })
    const mails = await sent(
      design,
      [
        { first_name: 'Ines', code: 'a1' },
        { first_name: 'Tomás', code: 'b2' },
      ],
      { subject: 'Doors open, {{first_name}}' },
    )
    expect(mails.map(({ subject }) => subject)).toEqual(['Doors open, Ines', 'Doors open, Tomás'])
    expect(mails.map(({ html }) => /href="(https:\/\/example\.com[^"]*)"/.exec(html)?.[1])).toEqual([
      'https://example.com/p/a1',
      'https://example.com/p/b2',
    ])
    expect(mails.map(({ html }) => /Two places for (\S+?)[\s<&]/.exec(html)?.[1])).toEqual(['Ines', 'Tomás'])
  })

  it('CANVAS-23 has a text part with the words and link addresses of its blocks', async () => {
    const link = (label: string) => ({ label, href: `https://example.com/${label.toLowerCase()}` })
    const design = sampleDesign([
      sampleRow([
        { id: 'h', type: 'heading', level: 1, content: [{ text: 'Salt and Paper' }] },
        {
          ...{ id: 't', type: 'text' },
          content: [
            {
              type: 'paragraph',
              content: [{ text: 'Come ' }, { text: 'early', marks: { link: 'https://example.com/early' } }],
            },
          ],
        },
        { id: 'b', type: 'button', label: 'Keep my places', href: 'https://example.com/places' },
        { id: 'i', type: 'image', src: 'https://example.com/i.png', alt: 'A boat', href: 'https://example.com/boat' },
        { id: 'm', type: 'menu', links: [link('Shop')] },
        { id: 's', type: 'social', links: [link('Instagram')] },
        {
          ...{ id: 'p', type: 'product', name: 'Print', description: 'On paper', price: '€ 20' },
          button: { label: 'See it', href: 'https://example.com/print' },
        },
        { id: 'x', type: 'html', html: '<p>Own <a href="https://example.com/own">code</a></p>' },
        {
          ...{ id: 'f', type: 'footer' },
          content: [{ type: 'paragraph', content: [{ text: 'Northwind Galleries' }] }],
        },
      ] as Design['rows'][number]['columns'][number]['blocks']),
    ])
    const [mail] = await sent(design, [{}])
    const words = [
      ...['Salt and Paper', 'Come', 'early', 'Keep my places', 'A boat', 'Shop', 'Instagram', 'Print', 'On paper'],
      ...['€ 20', 'See it', 'Own', 'code', 'Northwind Galleries'],
    ]
    expect(words.filter((word) => !mail!.text.includes(word))).toEqual([])
    const paths = ['early', 'places', 'boat', 'shop', 'instagram', 'print', 'own']
    expect(paths.filter((path) => !mail!.text.includes(`https://example.com/${path}`))).toEqual([])
    expect(mail!.text).not.toMatch(/<(?!https?:)\/?\w+/)
  })

  it('CANVAS-24 whose rendered HTML is above 102 kB brings the warning that Gmail clips it; one below does not', async () => {
    const warnings = async (design: Design) => {
      const body = { config_id: user.mailboxId, subject: 'News', body: bodyOf(design) }
      const answer = await server.call('POST', '/email/deliverability', { token: user.token, body })
      const { parts } = answer.body as DeliverabilityCheck
      return parts
        .flatMap(({ findings }) => findings.map(({ sentence }) => sentence))
        .filter((one) => one.includes('Gmail'))
    }
    const blocks = (of: number) =>
      sampleDesign([sampleRow(Array.from({ length: of }, (_, at) => textBlock(`b${at}`, 'Doors open. '.repeat(40))))])
    const [small, large] = [blocks(100), blocks(220)]
    expect(bodyOf(small).length).toBeLessThan(102_000)
    expect(bodyOf(large).length).toBeGreaterThan(102_000)
    expect(await warnings(small)).toEqual([])
    expect(await warnings(large)).toEqual([expect.stringContaining('Gmail cuts its end off')])
  })
})
