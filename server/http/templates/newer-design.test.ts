import { beforeAll, describe, expect, it } from 'vitest'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { Template } from '../../../contract/mail/template.ts'
import { bareBody, bodyOf, sampleDesign, sampleRow, textBlock } from '../../../tests/support/design-samples.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

/** As a server of a newer edition stored it, before it was set back to this one. */
const newer = {
  version: 2,
  layout: 'page',
  preheader: 'In short',
  canvas: [{ kind: 'hologram', words: ['Doors open'] }],
}
const html = '<html><body><div style="display:none">In short</div><p>Doors open, {{first_name}}</p></body></html>'

let user: TestUser

const server = await useServer()
beforeAll(async () => {
  user = await createUser(server)
  await call('PATCH', '/workspace', { postal_address: '1 Main Street' })
})

const call = (method: string, path: string, body?: object) => server.call(method, path, { token: user.token, body })
let count = 0
const someone = () => `newer${++count}@example.com`
const current = sampleDesign([sampleRow([textBlock('a', 'Hello')])])

async function newerTemplate(): Promise<Template> {
  const { body } = await call('POST', '/email/template', { subject: 'News', design: current })
  const { id } = body as Template
  await replaceDesign('templates', id)
  return (await call('GET', `/email/template/${id}`)).body as Template
}

async function newerCampaign(): Promise<Campaign> {
  const fields = { subject: 'News', design: current, config_id: user.mailboxId, context: { first_name: 'friend' } }
  const { id } = (await call('POST', '/email/campaign', fields)).body as Campaign
  await replaceDesign('campaigns', id)
  return campaignOf(id)
}

const replaceDesign = (table: 'templates' | 'campaigns', id: string) =>
  server.sql(`update ${table} set design = $2, body = $3, preheader = 'In short' where id = $1`, [
    id,
    JSON.stringify(newer),
    html,
  ])
const campaignOf = async (id: string) => (await call('GET', `/email/campaign/${id}`)).body as Campaign
const send = (key: string, fields: object) =>
  call('POST', `/email/send-mail/${user.secretKey}?template_key=${key}`, {
    ...{ subject: 'News', context: { first_name: 'Ines' } },
    ...fields,
  })

/** The faults of an answer: its status, and where and why. */
const faultsOf = ({ status, body }: { status: number; body: { detail: { loc: unknown; msg: string }[] } }) => [
  status,
  body.detail.map(({ loc, msg }) => [loc, msg]),
]

async function expectSent(address: string, name: string): Promise<void> {
  const [mail] = await server.mailsTo(address)
  expect(mail?.html).toContain(`<p>Doors open, ${name}</p>`)
  expect(mail?.html?.split('In short')).toHaveLength(2)
  expect(mail?.text).toContain(`Doors open, ${name}`)
}

/** Line ends, and the preheader with its filler, differ from edition to edition; an address to unsubscribe from mail to mail. */
const visibleOf = (source: string) =>
  bareBody(source.replaceAll('\r\n', '\n'))
    .replaceAll(/href="[^"]*"/g, 'href')
    .replaceAll(/>\s+</g, '><')

describe('a template whose design a newer version has made', () => {
  it('is read as it was stored, and a change of other fields leaves design and HTML', async () => {
    const template = await newerTemplate()
    expect(template).toMatchObject({ design: newer, body: html, preheader: 'In short' })
    const changes = { name: 'Spring', subject: 'Other news', preheader: 'In short', context: ['first_name'] }
    const { status, body } = await call('PATCH', `/email/template/${template.id}`, changes)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...changes, design: newer, body: html })
  })

  it('keeps its design where another preheader is refused, with a sentence that names the field and the remedy', async () => {
    const { id, ...template } = await newerTemplate()
    const answer = await call('PATCH', `/email/template/${id}`, { preheader: 'Another' })
    expect(faultsOf(answer)).toEqual([
      422,
      [[['body', 'preheader'], expect.stringMatching(/Leave preheader out, or update/)]],
    ])
    expect((await call('GET', `/email/template/${id}`)).body).toEqual({ id, ...template })
  })

  it('is sent as the HTML that was stored with it, and with another preheader refused', async () => {
    const { key } = await newerTemplate()
    const [one, ...many] = [someone(), someone(), someone()]
    expect((await send(key, { recipient_list: [one] })).status).toBe(200)
    expect((await send(key, { recipient_list: many, kind: 'bulk' })).status).toBe(200)
    for (const address of [one, ...many]) await expectSent(address, 'Ines')
    const refused = await send(key, { recipient_list: [someone()], preheader: 'Another' })
    expect(faultsOf(refused)).toEqual([422, [[['body', 'preheader'], expect.stringContaining('newer edition')]]])
  })

  it('makes a campaign that has its design and is sent as its HTML', async () => {
    const { id: templateId } = await newerTemplate()
    const address = someone()
    const recipients = [{ email: address, context: { first_name: 'Ines' } }]
    const fields = { template_id: templateId, config_id: user.mailboxId, recipients }
    const { status, body } = await call('POST', '/email/campaign', fields)
    expect([status, body.design, body.body]).toEqual([201, newer, html])
    await call('POST', `/email/campaign/${body.id}/launch`, {})
    await expectSent(address, 'Ines')
  })
})

describe('a campaign whose design a newer version has made', () => {
  it('keeps design and HTML through changes of other fields and in its copy, and is launched', async () => {
    const { id } = await newerCampaign()
    const changes = { subject: 'Other news', preheader: 'In short', from_name: 'Studio' }
    expect((await call('PATCH', `/email/campaign/${id}`, changes)).status).toBe(200)
    expect(await campaignOf(id)).toMatchObject({ ...changes, design: newer, body: html })
    const copy = await call('POST', `/email/campaign/${id}/duplicate`, {})
    expect(copy.status).toBe(201)
    const address = someone()
    for (const each of [id, copy.body.id as string]) {
      expect(await campaignOf(each)).toMatchObject({ design: newer, body: html, preheader: 'In short', mode: 'design' })
      await server.call('POST', `/email/campaign/${each}/recipients`, {
        ...{ token: user.token, raw: JSON.stringify(address), headers: { 'content-type': 'application/x-ndjson' } },
      })
      expect((await call('POST', `/email/campaign/${each}/launch`, {})).status).toBe(200)
    }
    const mails = await server.mailsTo(address, 2)
    expect(mails.map(({ html }) => html?.includes('<p>Doors open, friend</p>'))).toEqual([true, true])
  })

  it('is previewed as the composer holds it, HTML and preheader apart, and shows what is sent: the preheader once', async () => {
    const { id } = await newerCampaign()
    const { body, preheader } = await campaignOf(id)
    const recipient = someone()
    const content = { subject: 'News', content: bareBody(body), preheader, context: { first_name: 'friend' } }
    const preview = await call('POST', '/email/preview-mail', { ...content, recipient, kind: 'bulk', is_to_many: true })
    expect(preview.status).toBe(200)
    await server.call('POST', `/email/campaign/${id}/recipients`, {
      ...{ token: user.token, raw: JSON.stringify(recipient), headers: { 'content-type': 'application/x-ndjson' } },
    })
    expect((await call('POST', `/email/campaign/${id}/launch`, {})).status).toBe(200)
    const [mail] = await server.mailsTo(recipient)
    const shown = (preview.body as { html: string }).html
    for (const source of [shown, mail?.html ?? '']) expect(source.split('In short')).toHaveLength(2)
    expect(visibleOf(shown)).toBe(visibleOf(mail?.html ?? ''))
  })

  it('keeps its design where another preheader is refused', async () => {
    const { id } = await newerCampaign()
    const answer = await call('PATCH', `/email/campaign/${id}`, { preheader: 'Another' })
    expect(faultsOf(answer)).toEqual([422, [[['body', 'preheader'], expect.stringContaining('Leave preheader out')]]])
    expect(await campaignOf(id)).toMatchObject({ design: newer, body: html, preheader: 'In short' })
  })

  it('takes a design of this version in its place', async () => {
    const { id } = await newerCampaign()
    await call('PATCH', `/email/campaign/${id}`, { design: current })
    expect(await campaignOf(id)).toMatchObject({ design: current, body: bodyOf(current) })
  })
})

describe('a scheduled message whose design a newer version has made', () => {
  const scheduled = async () => {
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
    const { key } = await newerTemplate()
    const { body } = await send(key, { recipient_list: [someone()], scheduled_at })
    return body.id as string
  }

  it('is shown with the HTML that leaves; a change names the field and the remedy, and leaves the message', async () => {
    const id = await scheduled()
    const { status, body: before } = await call('GET', `/email/messages/scheduled/${id}`)
    expect([status, before.design]).toEqual([200, newer])
    expect(before.content).toContain('Doors open')
    const answer = await call('PATCH', `/email/messages/${id}`, { subject: 'Other news' })
    expect(faultsOf(answer)).toEqual([
      422,
      [[['body', 'design'], expect.stringMatching(/Send content or a design of this edition/)]],
    ])
    expect((await call('GET', `/email/messages/scheduled/${id}`)).body).toEqual(before)
  })

  it('takes content of this version in its place', async () => {
    const id = await scheduled()
    const changed = await call('PATCH', `/email/messages/${id}`, { content: '<p>Mine</p>', preheader: '' })
    expect([changed.status, changed.body.mode, changed.body.content]).toEqual([200, 'html', '<p>Mine</p>'])
  })
})
