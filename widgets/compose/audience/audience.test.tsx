import { beforeEach, describe, expect, it } from 'vitest'
import { body, composeBench } from '../../../tests/support/compose-bench.ts'
import { sampleContact, sampleFields, sampleList, sampleSegment } from '../../../tests/support/contact-responses.ts'
import { campaignCounts, sampleCampaign } from '../../../tests/support/samples.ts'
import type { ComposeMount } from '../compose-element.tsx'
import { keepDrafts, type DraftStorage } from '../drafts/draft-store.ts'
import '../recipients-import/recipient-sources.ts' // Read before the clock of a test runs.
import '../recipients-import/recipient-ways.tsx'
import '../campaign/campaign-option-fields.tsx'
import './audience-part.ts'

const bench = composeBench()
const options: ComposeMount['options'] = { loadAudience: () => import('./audience-part.ts') }
const events = (...all: object[]) => ({
  text: all.map((one) => `event: audience\ndata: ${JSON.stringify(one)}\n\n`).join(''),
  headers: { 'Content-Type': 'text/event-stream' },
})
const counted = {
  status: 'exact',
  count: 318,
  sources: [
    { kind: 'list', id: '7', count: 120 },
    { kind: 'segment', id: '4', count: 210 },
    { kind: 'recipients', id: null, count: 2 },
  ],
  overlaps: 9,
  left_out: [
    { reason: 'unsubscribed', count: 3 },
    { reason: 'bounced', count: 2 },
  ],
}
const people = ['ada@example.org', 'bo@example.org'].map((email, at) => ({
  contact_id: String(at + 1),
  email,
  context: { first_name: email.slice(0, 2) },
}))
const asked = (path: string) => bench.api.received.filter((one) => one.path === path)

beforeEach(() => {
  bench.api.on('listContactFields', { json: sampleFields })
  bench.api.on('listLists', { json: [sampleList({ id: '7', name: 'Newsletter', member_count: 118 })] })
  bench.api.on('listSegments', { json: [sampleSegment({ id: '4', name: 'Berlin', member_count: 200 })] })
  bench.api.on('listContacts', {
    json: [sampleContact({ id: '9', email: 'cy@example.org', fields: { first_name: 'Cy' } })],
  })
  bench.api.on('countAudience', () => events({ ...counted, status: 'estimate', count: 300 }, counted))
  bench.api.on('listAudiencePeople', ({ body: sent }) => {
    const { query = '' } = sent as { query?: string }
    const all = [...people, { contact_id: '3', email: 'zoe@example.org', context: { first_name: 'Zoé' } }]
    return { json: query === '' ? people : all.filter(({ email }) => email.startsWith(query)) }
  })
})

const until = (text: string) => bench.page.until(() => bench.page.text().includes(text))
const chips = () => [...bench.page.root().querySelectorAll('.audience-chip, .sources li')].map((one) => one.textContent)
const subject = () => bench.page.root().querySelector('.sheet-subject')?.textContent

/** Chooses in the dialog and closes it. */
async function choose(...names: string[]) {
  await bench.page.until(() => bench.page.button('Choose Lists and Segments'))
  bench.page.click('Choose Lists and Segments')
  for (const name of names) {
    await bench.page.until(() => bench.page.field(name))
    bench.page.field(name).click()
  }
  bench.page.click('Done')
  await bench.page.until(() => bench.page.root().querySelector('dialog') === null)
}

describe('the recipients box', () => {
  it('AUDIENCE-01 says what it takes while it is empty', async () => {
    await bench.ready(options)
    await until('Paste addresses, drop a CSV file, or choose a list')
    await bench.addRecipient('a@example.org')
    expect(bench.page.text()).not.toContain('choose a list')
  })

  it('offers no lists where the page may not read contacts', async () => {
    await bench.ready()
    await until('Paste addresses or drop a CSV file')
    expect(bench.page.text()).not.toContain('Lists and Segments')
  })

  it('AUDIENCE-02 holds lists, segments, contacts, pastes and files side by side, each with its count', async () => {
    await bench.ready(options)
    await choose('Send to Newsletter', 'Send to Berlin')
    bench.page.click('Choose Lists and Segments')
    await bench.page.until(() => bench.page.field('Find a list, a segment or a contact'))
    bench.page.type('Find a list, a segment or a contact', 'cy')
    await bench.page.until(() => bench.page.button('Add cy@example.org'))
    bench.page.click('Add cy@example.org')
    bench.page.click('Done')
    await bench.page.until(() => bench.page.root().querySelector('dialog') === null)
    bench.paste('a@example.org\nb@example.org')
    await bench.page.until(() => chips().length === 4)
    await bench.page.until(() => chips().includes('Newsletter120'))
    expect(chips()).toEqual(['Newsletter120', 'Berlin210', 'Contacts 1', 'Pasted addresses 2'])
  })

  it('leaves a list out, and removes it again', async () => {
    await bench.ready(options)
    await choose('Send to Berlin', 'Leave out Newsletter')
    await bench.page.until(() => chips().includes('Not Newsletter120'))
    await bench.page.until(() => asked('/email/campaign/audience').length > 0)
    expect(asked('/email/campaign/audience').at(-1)?.body).toMatchObject({
      segment_ids: ['4'],
      exclude_list_ids: ['7'],
    })
    bench.page.click('Remove Newsletter')
    await bench.page.until(() => chips().length === 1)
  })

  it('AUDIENCE-03 shows how many distinct people get the mail, and the number of overlaps', async () => {
    await bench.ready(options)
    bench.paste('a@example.org\nA@example.org\nb@example.org')
    await choose('Send to Newsletter', 'Send to Berlin')
    await until('318 people will get it')
    expect(bench.page.text()).toContain('9 in more than one source, counted once')
    expect(asked('/email/campaign/audience').at(-1)?.body).toEqual({
      list_ids: ['7'],
      segment_ids: ['4'],
      exclude_list_ids: [],
      exclude_segment_ids: [],
      recipients: ['a@example.org', 'b@example.org'],
    })
    expect(bench.page.root().querySelector('.launch-notes')?.textContent).not.toContain('Add at least one recipient')
  })

  it('counts pastes without a list too, an address in two of them once', async () => {
    await bench.ready(options)
    bench.paste('a@example.org\nb@example.org')
    await bench.page.until(() => chips().length === 1)
    bench.paste('b@example.org\nc@example.org')
    await until('3 people will get it · 1 in more than one source')
    expect(asked('/email/campaign/audience')).toEqual([])
  })

  it('AUDIENCE-04 shows how many are left out; opening that number lists the reasons with their counts', async () => {
    await bench.ready(options)
    await choose('Send to Newsletter')
    await bench.page.until(() => bench.page.button('5 left out'))
    expect(bench.page.button('5 left out').getAttribute('aria-expanded')).toBe('false')
    bench.page.click('5 left out')
    await until('Unsubscribed 3')
    expect(bench.page.text()).toContain('Mail to them came back 2')
  })

  it('says why the people could not be counted', async () => {
    bench.api.on('countAudience', { status: 404, json: { detail: 'The list does not exist.', code: 'list_not_found' } })
    await bench.ready(options)
    await choose('Send to Newsletter')
    await bench.page.until(() => bench.alerts().includes('The list does not exist.'))
  })
})

describe('the message', () => {
  it('AUDIENCE-05 the preview shows it as any of the people of lists and segments, also one that is not loaded', async () => {
    await bench.ready(options)
    bench.page.type('Subject Line', 'For {{first_name}}')
    bench.page.type(body, 'Hello')
    await choose('Send to Newsletter')
    await bench.page.until(() => subject() === 'For ad')
    await until('1 of 318')
    bench.page.click('Preview the next recipient')
    await bench.page.until(() => subject() === 'For bo')
    const search = () => bench.page.type('Preview as', 'zoe@example.org')
    search()
    await bench.page.until(() => asked('/email/campaign/audience/people').length === 2)
    await bench.page.until(() => {
      search()
      return subject() === 'For Zoé'
    })
  })

  it('offers the fields of contacts as variables while a list or segment is a source', async () => {
    bench.api.on('listContactFields', {
      json: [{ ...sampleFields[0], key: 'shoe_size', label: 'Shoe size' }],
    })
    await bench.ready(options)
    await choose('Send to Newsletter')
    const area = bench.page.field(body)
    bench.page.type(body, 'Size {{sh')
    // Until the part that completes is loaded.
    await bench.page.until(() => {
      area.setSelectionRange(9, 9)
      area.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
      return bench.page.text().includes('shoe_size')
    })
  })
})

describe('the launch', () => {
  beforeEach(() => {
    bench.api.on('getWorkspace', {
      json: {
        id: 'ws_1',
        name: 'Northwind',
        postal_address: 'Main Street 1',
        tracking: 'off',
        api_tracking: 'off',
        events_keep_months: 13,
      },
    })
    bench.api.on('estimateEmailCampaign', { json: { count: 2, suppressed: 0, finishes_at: null, problems: [] } })
    bench.api.on('createEmailCampaign', { status: 201, json: sampleCampaign() })
    bench.api.on('addCampaignRecipients', {
      json: { added: 1, suppressed: 0, duplicates: 0, refused: 0, refusals: [] },
    })
    bench.api.on('getEmailCampaign', { json: sampleCampaign({ counts: campaignCounts({ queued: 1 }) }) })
    bench.api.on('launchEmailCampaign', { json: sampleCampaign({ status: 'preparing' }) })
    bench.api.on('deleteEmailCampaign', { status: 204 })
    bench.api.on('listCampaignRecipients', { json: [] })
    bench.api.on('watchEmailCampaign', {
      text: '',
      headers: { 'Content-Type': 'text/event-stream' },
    })
  })

  it('sends lists and segments with the campaign, and pasted recipients as before', async () => {
    await bench.ready(options)
    await bench.fill()
    await choose('Send to Newsletter', 'Leave out Berlin')
    await until('318 people will get it')
    bench.page.click('Launch Message')
    await until('Launch to 318 recipients')
    await until('318 will get it. 5 are left out')
    bench.page.click('Launch Campaign')
    await bench.page.until(() => bench.alerts().includes('Campaign launched'))
    expect(asked('/email/campaign')[0]?.body).toMatchObject({
      list_ids: ['7'],
      exclude_segment_ids: ['4'],
      staged: true,
    })
    expect(bench.api.received.find(({ path }) => path.endsWith('/recipients'))?.text).toBe('"a@example.com"')
    expect(bench.alerts()).toContain('318 recipients')
    expect(chips()).toEqual([])
  })

  it('takes an exemption from the frequency cap of contacts', async () => {
    bench.api.on('updateEmailCampaign', { json: sampleCampaign({ frequency_exempt: true }) })
    await bench.ready(options)
    await bench.fill()
    await choose('Send to Newsletter')
    await until('318 people will get it')
    bench.page.click('Launch Message')
    await until('318 will get it.')
    const details = bench.page.root().querySelector<HTMLDetailsElement>('.campaign details')!
    details.open = true
    details.dispatchEvent(new Event('toggle'))
    const name = 'Send also to people who asked for at most one campaign a week'
    await bench.page.until(() => !bench.page.field(name).disabled)
    bench.page.field(name).click()
    await bench.page.until(() => bench.page.field(name).checked)
    expect(bench.page.text()).not.toContain('UTM')
    bench.page.click('Launch Campaign')
    await bench.page.until(() => bench.alerts().includes('Campaign launched'))
    const changes = bench.api.received.filter(
      ({ method, path }) => method === 'PATCH' && path.startsWith('/email/campaign/'),
    )
    expect(changes.map((one) => one.body)).toEqual([{ frequency_exempt: true }])
  })

  it('needs no pasted recipient', async () => {
    await bench.ready(options)
    bench.page.choose('From', 'ck_second')
    bench.page.type('Subject Line', 'Doors open')
    bench.page.type(body, 'Dear friend')
    await choose('Send to Newsletter')
    await bench.page.until(() => !bench.launch().disabled)
    bench.page.click('Launch Message')
    await until('Launch to 318 recipients')
  })
})

describe('a draft', () => {
  function browser(): DraftStorage & { copy: ReturnType<DraftStorage['read']> } {
    const place = {
      copy: null as ReturnType<DraftStorage['read']>,
      read: () => place.copy,
      write(copy: ReturnType<DraftStorage['read']>) {
        place.copy = copy
        return true
      },
    }
    return place
  }
  beforeEach(() => {
    bench.api.on('getDraft', { status: 204 })
    bench.api.on('saveDraft', { json: { revision: 1, updated_at: '2025-08-14T09:30:00.000Z', replaced: null } })
  })

  it('AUDIENCE-17 its sources are there after a reload, and in a second tab by the server', async () => {
    const place = browser()
    await bench.ready({ ...options, drafts: keepDrafts(place) })
    await choose('Send to Newsletter', 'Leave out Berlin')
    bench.paste('email,Vorname\na@example.org,Ada\nb@example.org,Bo')
    await bench.page.until(() => chips().length === 3)
    bench.page.leave()
    await bench.ready({ ...options, drafts: keepDrafts(place) })
    const expected = ['Newsletter120', 'Not Berlin210', 'Pasted addresses 2']
    await bench.page.until(() => JSON.stringify(chips()) === JSON.stringify(expected))
    bench.page.click('Pasted addresses 2')
    await until('Fills the variable')
    const kept = place.copy?.content
    bench.page.leave()

    bench.api.on('getDraft', {
      json: { content: kept, revision: 3, updated_at: '2025-08-14T09:30:00.000Z', replaced: [] },
    })
    await bench.ready({ ...options, drafts: keepDrafts(browser()) })
    await bench.page.until(() => JSON.stringify(chips()) === JSON.stringify(expected))
  })

  it('gets the segment that the page was opened for, beside what it has', async () => {
    const place = browser()
    await bench.ready({ ...options, drafts: keepDrafts(place) })
    await choose('Send to Newsletter')
    bench.page.leave()
    const startAudience = [{ kind: 'segment' as const, id: '4', name: '' }]
    await bench.ready({ ...options, drafts: keepDrafts(place), startAudience })
    await bench.page.until(() => JSON.stringify(chips()) === JSON.stringify(['Newsletter120', 'Berlin210']))
  })

  it('marks a list that no longer exists', async () => {
    const startAudience = [{ kind: 'list' as const, id: '99', name: '' }]
    await bench.ready({ ...options, drafts: keepDrafts(browser()), startAudience })
    await until('no longer exists')
  })
})

it('AUDIENCE-07 a file of more than 50,000 rows is given to the import wizard, of 50,000 it is not', async () => {
  const taken: File[] = []
  await bench.ready({ ...options, openImport: (file) => Promise.resolve(void taken.push(file)) })
  await until('Choose a File')
  const rows = Array.from({ length: 50_000 }, (_, at) => `v${at}@example.org\n`).join('')
  const drop = (file: File) => {
    const event = Object.assign(new Event('drop', { bubbles: true, composed: true, cancelable: true }), {
      dataTransfer: { types: ['Files'], files: [file] },
    })
    bench.page.root().querySelector('.row:has(.chips)')!.dispatchEvent(event)
  }
  drop(new File([rows], 'fits.csv'))
  await until('50,000 recipients added')
  const large = new File([`${rows}one-more@example.org\n`], 'large.csv')
  drop(large)
  await bench.page.until(() => taken.length === 1)
  expect(taken).toEqual([large])
  expect(bench.page.text()).not.toContain('large.csv')
})
