import { beforeEach, describe, expect, it } from 'vitest'
import { body, composeBench } from '../../../tests/support/compose-bench.ts'
import { progressEvents } from '../../../tests/support/progress-events.ts'
import { campaignCounts, sampleCampaign } from '../../../tests/support/samples.ts'
import './campaign-dialog.tsx' // Read before the clock of a test runs.
import './campaign-option-fields.tsx'

const bench = composeBench()
const address = 'Main Street 1'
const asked = (path: string, method = 'POST') =>
  bench.api.received.filter((one) => one.path.endsWith(path) && one.method === method)
const filledLines = () => asked('/recipients').flatMap(({ text }) => text.split('\n'))

const made = sampleCampaign({ counts: campaignCounts({ queued: 1001 }), finishes_at: '2027-03-01T09:30:00.000Z' })

beforeEach(() => {
  bench.api.on('getWorkspace', {
    json: {
      id: 'ws_1',
      name: 'Northwind',
      postal_address: address,
      tracking: 'off',
      api_tracking: 'off',
      events_keep_months: 13,
    },
  })
  bench.api.on('createEmailCampaign', { status: 201, json: sampleCampaign() })
  bench.api.on('addCampaignRecipients', ({ text }) => ({
    json: { added: text.split('\n').length, suppressed: 0, duplicates: 0, refused: 0, refusals: [] },
  }))
  bench.api.on('estimateEmailCampaign', estimate)
  bench.api.on('getEmailCampaign', { json: made })
  bench.api.on('updateEmailCampaign', { json: { ...made, finishes_at: '2027-03-02T09:30:00.000Z' } })
  bench.api.on('deleteEmailCampaign', { status: 204 })
  bench.api.on('launchEmailCampaign', { json: { ...made, status: 'sending' } })
  bench.api.on('listCampaignRecipients', { json: [row('v0@example.org', 'queued')] })
  bench.api.on('watchEmailCampaign', progressEvents(progress('sending', { queued: 900, sent: 101 })))
})

const estimate = ({ text }: { text: string }) => {
  const { recipients, scheduled_at: at } = JSON.parse(text) as { recipients: string[]; scheduled_at: string | null }
  const finishes_at = at === null ? '2027-03-01T09:30:00.000Z' : '2027-03-02T09:30:00.000Z'
  return { json: { count: recipients.length, suppressed: 0, finishes_at, problems: [] } }
}
const row = (recipient: string, state: string) => ({
  recipient,
  state,
  attempts: 0,
  reply: null,
  next_attempt_at: null,
  settled_at: null,
  id: '1',
  config_id: 'cfg_1',
  mailbox: 'studio@northwind.example',
  opened_at: null,
  clicked_at: null,
  replied_at: null,
  bounced_at: null,
})
const progress = (status: string, states: Parameters<typeof campaignCounts>[0], finishesAt: string | null = null) => ({
  status,
  counts: campaignCounts(states),
  finishes_at: finishesAt,
})

async function write(count: number) {
  await bench.ready()
  bench.page.choose('From', 'ck_second')
  bench.page.type('Subject Line', 'Doors open')
  bench.page.type(body, 'Dear friend')
  await bench.addRecipient(Array.from({ length: count }, (_, at) => `v${at}@example.org`).join(';'))
}
async function writeAndLaunch(count = 1001) {
  await write(count)
  bench.page.click('Launch Message')
  await bench.page.until(() => bench.page.text().includes('1,001 will get it.'))
}

describe('more than ten recipients', () => {
  it('UNDO-12 Launch Message opens a dialog with the estimated completion and writes nothing', async () => {
    await writeAndLaunch()
    expect(bench.page.text()).toContain('the last mail leaves')
    expect(bench.page.text()).toContain('2027')
    bench.page.leave()
    expect([asked('/email/campaign'), asked('/recipients'), asked('/launch'), bench.sends()]).toEqual([[], [], [], []])
  })

  it('UNDO-13 a launch that is not possible shows the reason by name in the dialog', async () => {
    const problem = { code: 'mailbox_paused', message: 'The mailbox shop@northwind.example is paused. Wrong password.' }
    bench.api.on('estimateEmailCampaign', {
      json: { count: 1001, suppressed: 0, finishes_at: null, problems: [problem] },
    })
    await writeAndLaunch()
    expect(bench.alerts()).toContain('The mailbox shop@northwind.example is paused. Wrong password.')
    expect(bench.page.button('Launch Campaign').disabled).toBe(true)
  })

  it('BULKRULES-05 the form and its wording are the same for 900 and for 1,500 recipients', async () => {
    const texts: string[] = []
    for (const count of [900, 1500]) {
      await write(count)
      bench.page.click('Launch Message')
      const shown = [`${count.toLocaleString()} will get it.`, 'Preview as', 'This HTML has no preview.']
      await bench.page.until(() => shown.every((part) => bench.page.text().includes(part)))
      texts.push(
        bench.page
          .text()
          .replaceAll(/\b(?:1,500|900|1,495|895)\b/g, '#')
          .replaceAll(/v\d+@example\.org/g, ''),
      )
      bench.page.leave()
    }
    expect(texts[0]).toContain('Launch to # recipients')
    expect(texts[0]).toBe(texts[1])
  })

  it('the launch makes a campaign of the message, with its recipients', async () => {
    await writeAndLaunch()
    bench.page.click('Launch Campaign')
    await bench.page.until(() => bench.alerts().includes('Campaign launched'))
    expect(asked('/email/campaign')[0]?.body).toEqual({
      name: 'Doors open',
      subject: 'Doors open',
      body: 'Dear friend',
      context: {},
      config_ids: ['cfg_2'],
      staged: true,
      kind: 'bulk',
    })
    expect(filledLines()).toHaveLength(1001)
    expect(asked('/launch')[0]?.body).toEqual({ scheduled_at: null, timezone: null })
    expect(bench.page.field(body).value).toBe('')
  })

  it('up to ten are sent as one message of kind bulk', async () => {
    await write(10)
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.sends().length === 1)
    expect(bench.sends()[0]?.body).toMatchObject({ kind: 'bulk' })
  })

  it('recipients with their own values are sent as a campaign too', async () => {
    await bench.ready()
    bench.page.choose('From', 'ck_second')
    bench.page.type('Subject Line', 'For {{name}}')
    bench.page.type(body, 'Dear {{name}}')
    bench.paste('name,email,note\nAda,a@example.com,x\nBo,b@example.com,')
    await bench.page.until(() => bench.chips().length === 2)
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.page.text().includes('2 will get it.'))
    bench.page.click('Launch Campaign')
    await bench.page.until(() => asked('/recipients').length === 1)
    expect(filledLines().map((line) => JSON.parse(line) as object)).toEqual([
      { email: 'a@example.com', context: { name: 'Ada', note: 'x' } },
      { email: 'b@example.com', context: { name: 'Bo' } },
    ])
  })

  it('SEND-18 a duplicate recipient is in the campaign once, with the values of all its rows', async () => {
    bench.api.on('getEmailCampaign', { json: sampleCampaign({ counts: campaignCounts({ queued: 2 }) }) })
    await bench.ready()
    bench.page.choose('From', 'ck_second')
    bench.page.type('Subject Line', 'For {{name}}')
    bench.page.type(body, 'Dear {{name}} of {{city}}')
    bench.paste('email,name,city\na@example.com,Ada,\nb@example.com,Bo,Oslo\nA@example.com,Adele,Rome')
    await bench.page.until(() => bench.chips().length === 2)
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.page.text().includes('2 will get it. 1 twice in the list, once in the campaign'))
    expect(bench.page.text()).toContain('Launch to 2 recipients')
    bench.page.click('Launch Campaign')
    await bench.page.until(() => asked('/recipients').length === 1)
    expect(filledLines().map((line) => JSON.parse(line) as object)).toEqual([
      { email: 'a@example.com', context: { name: 'Ada', city: 'Rome' } },
      { email: 'b@example.com', context: { name: 'Bo', city: 'Oslo' } },
    ])
  })

  it('is shared by the selected mailboxes, with a new estimate', async () => {
    await writeAndLaunch()
    const box = [...bench.page.root().querySelectorAll<HTMLInputElement>('.campaign input[type=checkbox]')]
    expect(box.map(({ checked }) => checked)).toEqual([false, true])
    box[0]!.click()
    await bench.page.until(() => asked('/estimate').length === 2)
    expect(asked('/estimate')[1]?.body).toMatchObject({ config_ids: ['cfg_2', 'cfg_1'] })
    await bench.page.until(() => !bench.page.button('Launch Campaign').disabled)
    bench.page.click('Launch Campaign')
    await bench.page.until(() => asked('/launch').length === 1)
    expect(asked('/email/campaign')[0]?.body).toMatchObject({ config_ids: ['cfg_2', 'cfg_1'] })
  })

  it('is scheduled with a time zone, with an estimate for that time', async () => {
    await writeAndLaunch()
    const later = [...bench.page.root().querySelectorAll<HTMLInputElement>('.campaign input[type=radio]')][1]
    later!.click()
    await bench.page.until(() => bench.page.field('Start').value !== '')
    bench.page.choose('Time zone', 'Europe/Berlin')
    await bench.page.until(() => asked('/estimate').length === 3)
    await bench.page.until(
      () => bench.page.text().includes('2 March 2027') || bench.page.text().includes('March 2, 2027'),
    )
    bench.page.click('Launch Campaign')
    await bench.page.until(() => asked('/launch').length === 1)
    expect(asked('/launch')[0]?.body).toEqual({
      scheduled_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00$/) as string,
      timezone: 'Europe/Berlin',
    })
  })

  it('requires the postal address when it is missing, and stores it', async () => {
    bench.api.on('getWorkspace', {
      json: {
        id: 'ws_1',
        name: 'Northwind',
        postal_address: null,
        tracking: 'off',
        api_tracking: 'off',
        events_keep_months: 13,
      },
    })
    bench.api.on('updateWorkspace', {
      json: {
        id: 'ws_1',
        name: 'Northwind',
        postal_address: address,
        tracking: 'off',
        api_tracking: 'off',
        events_keep_months: 13,
      },
    })
    await writeAndLaunch()
    expect(bench.page.button('Launch Campaign').disabled).toBe(true)
    bench.page.type('Postal address', address)
    await bench.page.until(() => !bench.page.button('Launch Campaign').disabled)
    bench.page.click('Launch Campaign')
    await bench.page.until(() => asked('/launch').length === 1)
    expect(asked('/workspace', 'PATCH')[0]?.body).toEqual({ postal_address: address })
  })

  const radio = (text: string) =>
    [...bench.page.root().querySelectorAll<HTMLLabelElement>('.campaign label')]
      .find((label) => label.textContent === text)!
      .querySelector('input')!
  const workspaceWith = (tracking: string) => ({
    json: {
      id: 'ws_1',
      name: 'Northwind',
      postal_address: address,
      tracking,
      api_tracking: 'off',
      events_keep_months: 13,
    },
  })

  it('records less than the workspace where the author chooses so, never more', async () => {
    bench.api.on('getWorkspace', workspaceWith('identified'))
    await writeAndLaunch()
    expect(radio('Who opened and clicked').checked).toBe(true)
    radio('Totals only').click()
    await bench.page.until(() => radio('Totals only').checked)
    bench.page.click('Launch Campaign')
    await bench.page.until(() => asked('/launch').length === 1)
    expect(asked('/email/campaign')[0]?.body).toMatchObject({ tracking: 'counts' })
  })

  it('tracking is turned on for the workspace from the dialog', async () => {
    bench.api.on('updateWorkspace', workspaceWith('identified'))
    await writeAndLaunch()
    expect(radio('Not recorded').checked).toBe(true)
    expect([radio('Totals only').disabled, radio('Who opened and clicked').disabled]).toEqual([true, true])
    expect(bench.page.text()).toContain('Your workspace does not allow more.')
    bench.page.click('Turn on for the workspace')
    await bench.page.until(() => radio('Who opened and clicked').checked)
    expect(asked('/workspace', 'PATCH')[0]?.body).toEqual({ tracking: 'identified' })
    bench.page.click('Launch Campaign')
    await bench.page.until(() => asked('/launch').length === 1)
    expect(asked('/email/campaign')[0]?.body).not.toHaveProperty('tracking')
  })

  /** Unfolds the options and waits for their fields. */
  async function unfold() {
    const details = bench.page.root().querySelector('details')!
    details.open = true
    details.dispatchEvent(new Event('toggle'))
    await bench.page.until(() => !bench.page.field('Source').disabled)
  }

  it('UTM parameters are saved in the campaign before its launch, without blanks around them', async () => {
    bench.api.on('getWorkspace', workspaceWith('identified'))
    await writeAndLaunch()
    await unfold()
    bench.page.type('Source', ' newsletter ')
    await bench.page.until(() => bench.page.field('Source').value === ' newsletter ')
    bench.page.field('Source').dispatchEvent(new Event('focusout', { bubbles: true, composed: true }))
    bench.page.field('Source').dispatchEvent(new Event('blur'))
    await bench.page.until(() => bench.page.field('Source').value === 'newsletter')
    bench.page.type('Medium', 'x')
    bench.page.type('Medium', '')
    bench.page.type('Campaign name', 'spring sale')
    expect(asked('/email/campaign/cmp_1', 'PATCH')).toEqual([])
    bench.page.click('Launch Campaign')
    await bench.page.until(() => asked('/launch').length === 1)
    const saved = asked('/email/campaign/cmp_1', 'PATCH')
    expect(saved.map((one) => one.body)).toEqual([{ utm: { source: 'newsletter', campaign: 'spring sale' } }])
    expect(bench.api.received.indexOf(saved[0]!)).toBeLessThan(bench.api.received.indexOf(asked('/launch')[0]!))
  })

  it('UTM parameters that could not be saved prevent the launch, which is made again', async () => {
    bench.api.on('getWorkspace', workspaceWith('identified'))
    await writeAndLaunch()
    await unfold()
    bench.page.type('Source', 'newsletter')
    bench.api.on('updateEmailCampaign', { status: 503, json: { detail: 'The service is starting.' } })
    bench.page.click('Launch Campaign')
    await bench.page.until(() => bench.alerts().includes('The service is starting.'))
    expect(asked('/launch')).toEqual([])
    bench.api.on('updateEmailCampaign', { json: made })
    bench.page.click('Try Again')
    await bench.page.until(() => !bench.page.button('Launch Campaign').disabled)
    expect(bench.page.field('Source').value).toBe('newsletter')
    bench.page.click('Launch Campaign')
    await bench.page.until(() => asked('/launch').length === 1)
    expect(asked('/email/campaign/cmp_1', 'PATCH').at(-1)?.body).toEqual({ utm: { source: 'newsletter' } })
  })

  it('offers no further options where no link is tracked and no contact gets it', async () => {
    await writeAndLaunch()
    expect(bench.page.text()).not.toContain('More options')
    bench.api.on('updateWorkspace', workspaceWith('identified'))
    bench.page.click('Turn on for the workspace')
    await bench.page.until(() => bench.page.text().includes('More options'))
    await unfold()
    expect(bench.page.text()).not.toContain('Send also to people')
    radio('Not recorded').click()
    await bench.page.until(() => !bench.page.text().includes('More options'))
  })

  it('continues to add recipients after a failure, on a retry', async () => {
    let count = 0
    bench.api.on('addCampaignRecipients', ({ text }) =>
      ++count === 2
        ? { status: 503, json: { detail: 'The service is starting.' } }
        : { json: { added: text.split('\n').length, suppressed: 0, duplicates: 0, refused: 0, refusals: [] } },
    )
    bench.api.on('getEmailCampaign', { json: sampleCampaign({ counts: campaignCounts({ queued: 3001 }) }) })
    await write(3001)
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.page.text().includes('3,001 will get it.'))
    bench.page.click('Launch Campaign')
    await bench.page.until(() => bench.alerts().includes('The service is starting.'))
    bench.page.click('Try Again')
    await bench.page.until(() => !bench.page.button('Launch Campaign').disabled)
    bench.page.click('Launch Campaign')
    await bench.page.until(() => asked('/launch').length === 1)
    expect([asked('/email/campaign').length, asked('/recipients').length]).toEqual([1, 3])
  })

  it('H35 launched again after a lost response it is the same call to the server, and one campaign', async () => {
    await writeAndLaunch()
    bench.api.on('launchEmailCampaign', { hangUp: true })
    bench.page.click('Launch Campaign')
    await bench.page.until(() => bench.alerts().includes('The server cannot be reached'))
    bench.api.on('launchEmailCampaign', { json: { ...made, status: 'sending' } })
    bench.page.click('Try Again')
    await bench.page.until(() => !bench.page.button('Launch Campaign').disabled)
    bench.page.click('Launch Campaign')
    await bench.page.until(() => bench.alerts().includes('Campaign launched'))
    const keys = asked('/launch').map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys).toEqual([keys[0], keys[0]])
    expect(asked('/email/campaign')).toHaveLength(1)
  })

  it('going back after a lost response deletes nothing, because it may be running', async () => {
    await writeAndLaunch()
    bench.api.on('launchEmailCampaign', { hangUp: true })
    bench.page.click('Launch Campaign')
    await bench.page.until(() => bench.alerts().includes('The server cannot be reached'))
    bench.page.click('Back to the message')
    await bench.page.until(() => bench.toasts.length === 1)
    expect(bench.toasts[0]?.text).toContain('Whether the campaign was launched is not known')
    expect(asked('/email/campaign/cmp_1', 'DELETE')).toEqual([])
    expect(bench.page.field(body).value).toBe('Dear friend')
  })

  it.each([
    [
      'the workspace',
      'getWorkspace',
      {
        json: {
          id: 'ws_1',
          name: 'Northwind',
          postal_address: null,
          tracking: 'off',
          api_tracking: 'off',
          events_keep_months: 13,
        },
      },
    ],
    ['the forecast', 'estimateEmailCampaign', estimate],
  ] as const)('a failure of %s keeps the message, and can be retried', async (_, call, answer) => {
    bench.api.on(call, { status: 503, json: { detail: 'The service is starting.' } })
    await write(1001)
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.alerts().includes('The service is starting.'))
    bench.api.on(call, answer)
    bench.page.click('Try Again')
    await bench.page.until(() => bench.page.text().includes('1,001 will get it.'))
    expect(bench.page.field(body).value).toBe('Dear friend')
  })

  it('a campaign that could not be made is made under the same key on the retry', async () => {
    bench.api.on('createEmailCampaign', { status: 503, json: { detail: 'The service is starting.' } })
    await writeAndLaunch()
    bench.page.click('Launch Campaign')
    await bench.page.until(() => bench.alerts().includes('The service is starting.'))
    bench.api.on('createEmailCampaign', { status: 201, json: sampleCampaign() })
    bench.page.click('Try Again')
    await bench.page.until(() => !bench.page.button('Launch Campaign').disabled)
    bench.page.click('Launch Campaign')
    await bench.page.until(() => asked('/launch').length === 1)
    expect(new Set(asked('/email/campaign').map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it('a failure to save the address or the start time loses neither', async () => {
    bench.api.on('getWorkspace', {
      json: {
        id: 'ws_1',
        name: 'Northwind',
        postal_address: null,
        tracking: 'off',
        api_tracking: 'off',
        events_keep_months: 13,
      },
    })
    await writeAndLaunch()
    bench.api.on('estimateEmailCampaign', { status: 503, json: { detail: 'The service is starting.' } })
    ;[...bench.page.root().querySelectorAll<HTMLInputElement>('.campaign input[type=radio]')][1]!.click()
    await bench.page.until(() => bench.alerts().includes('The service is starting.'))
    const startsAt = bench.page.field('Start').value
    expect(startsAt).not.toBe('')
    bench.page.type('Postal address', address)
    bench.api.on('estimateEmailCampaign', estimate)
    bench.page.click('Try Again')
    await bench.page.until(() => !bench.page.button('Launch Campaign').disabled)
    bench.api.on('updateWorkspace', { status: 503, json: { detail: 'Not now.' } })
    bench.page.click('Launch Campaign')
    await bench.page.until(() => bench.alerts().includes('Not now.'))
    expect([bench.page.field('Postal address').value, bench.page.field('Start').value]).toEqual([address, startsAt])
    expect(asked('/launch')).toEqual([])
    bench.api.on('updateWorkspace', {
      json: {
        id: 'ws_1',
        name: 'Northwind',
        postal_address: address,
        tracking: 'off',
        api_tracking: 'off',
        events_keep_months: 13,
      },
    })
    bench.page.click('Try Again')
    await bench.page.until(() => !bench.page.button('Launch Campaign').disabled)
    bench.page.click('Launch Campaign')
    await bench.page.until(() => asked('/launch').length === 1)
    expect((asked('/launch')[0]?.body as { scheduled_at: string }).scheduled_at).toBe(startsAt)
  })

  it('going back keeps the message', async () => {
    await writeAndLaunch()
    bench.page.click('Back to the message')
    await bench.page.until(() => !bench.page.text().includes('will get it.'))
    expect(bench.page.field(body).value).toBe('Dear friend')
    expect(bench.page.text()).toContain('1,001 recipients')
  })
})

describe('the progress of a campaign', () => {
  const launch = async () => {
    await writeAndLaunch()
    bench.page.click('Launch Campaign')
    await bench.page.until(() => bench.page.text().includes('Sent to 101 of 1,001'))
    await bench.page.until(() => bench.page.button('Cancel campaign'))
  }

  it('shows counts, recipients and completion, live', async () => {
    bench.api.on(
      'watchEmailCampaign',
      progressEvents(progress('sending', { queued: 900, sent: 101 }, '2027-03-01T09:30:00.000Z')),
    )
    await launch()
    expect(bench.page.text()).toContain('last mail leaves')
    await bench.page.until(() => bench.page.text().includes('v0@example.org'))
    bench.api.on('watchEmailCampaign', progressEvents(progress('finished', { sent: 1001 })))
    await bench.page.until(() => bench.page.text().includes('Sent to 1,001 of 1,001'))
  })

  it('can be paused and resumed', async () => {
    await launch()
    bench.api.on('pauseEmailCampaign', () => {
      bench.api.on('watchEmailCampaign', progressEvents(progress('paused', { queued: 900, sent: 101 })))
      return { json: sampleCampaign({ status: 'paused' }) }
    })
    bench.page.click('Pause')
    await bench.page.until(() => bench.page.text().includes('Paused · Sent to 101'))
    bench.api.on('resumeEmailCampaign', () => {
      bench.api.on('watchEmailCampaign', progressEvents(progress('sending', { queued: 800, sent: 201 })))
      return { json: sampleCampaign({ status: 'sending' }) }
    })
    bench.page.click('Resume')
    await bench.page.until(() => bench.page.text().includes('Sent to 201'))
  })

  it('is cancelled after a confirmation that states what is lost', async () => {
    await launch()
    bench.api.on('cancelEmailCampaign', () => {
      bench.api.on('watchEmailCampaign', progressEvents(progress('cancelled', { cancelled: 900, sent: 101 })))
      return { json: sampleCampaign({ status: 'cancelled' }) }
    })
    bench.page.click('Cancel campaign')
    await bench.page.until(() => bench.page.text().includes('900 recipients will not receive it'))
    expect(asked('/cancel')).toEqual([])
    bench.page.click('Cancel it')
    await bench.page.until(() => bench.page.text().includes('Cancelled · Sent to 101'))
  })

  it('lists failed recipients, and retries them', async () => {
    bench.api.on('watchEmailCampaign', progressEvents(progress('finished', { sent: 101, failed: 3 })))
    await writeAndLaunch()
    bench.page.click('Launch Campaign')
    await bench.page.until(() => bench.page.button('Failed 3'))
    bench.api.on('listCampaignRecipients', ({ query }) => ({
      json: query.get('state') === 'failed' ? [row('gone@example.org', 'failed')] : [],
    }))
    bench.page.click('Failed 3')
    await bench.page.until(() => bench.page.text().includes('gone@example.org'))
    bench.api.on('retryEmailCampaign', () => {
      bench.api.on('watchEmailCampaign', progressEvents(progress('finished', { sent: 104 })))
      return { json: { ...sampleCampaign({ status: 'sending' }), message: 'Sent.', resent: 3, suppressed: 0 } }
    })
    await bench.page.until(() => bench.page.button('Retry 3 failed'))
    bench.page.click('Retry 3 failed')
    await bench.page.until(() => bench.page.text().includes('Sent to 104 of 104'))
  })
})
