import { beforeEach, describe, expect, it } from 'vitest'
import { body, composeBench } from '../../../tests/support/compose-bench.ts'
import { progressEvents } from '../../../tests/support/progress-events.ts'
import { sampleMessage } from '../../../tests/support/samples.ts'
import type { DraftVersion } from '../../../contract/mail/draft.ts'
import { keepDrafts, type DraftStorage, type KeptDraft } from './draft-store.ts'

const bench = composeBench()

/** A server that stores drafts as the real one does. */
let drafts: { kept: DraftVersion | null; saves: { content: KeptDraft; base_revision: number }[] }
const at = '2025-08-14T09:30:00.000Z'
beforeEach(() => {
  // One per test: a draft that the previous composer still saves belongs to no test.
  const own: typeof drafts = { kept: null, saves: [] }
  drafts = own
  bench.api.on('getDraft', () => (own.kept ? { json: { ...own.kept, replaced: [] } } : { status: 204 }))
  bench.api.on('saveDraft', ({ body: sent }) => {
    const save = sent as (typeof own.saves)[number]
    own.saves.push(save)
    const replaced = own.kept && own.kept.revision > save.base_revision ? own.kept : null
    const revision = Math.max(own.kept?.revision ?? 0, save.base_revision) + 1
    own.kept = { content: save.content, revision, updated_at: at }
    return { json: { revision, updated_at: at, replaced } }
  })
  bench.api.on('deleteDraft', () => {
    own.kept = null
    return { status: 204 }
  })
})

/** A browser's own storage. */
function browser(first: ReturnType<DraftStorage['read']> = null) {
  const place = {
    copy: first,
    isFull: false,
    read: () => place.copy,
    write(copy: ReturnType<DraftStorage['read']>) {
      if (!place.isFull) place.copy = copy
      return !place.isFull
    },
  }
  return place
}
const open = (place = browser()) => bench.ready({ drafts: keepDrafts(place) })
const written: KeptDraft = {
  mailboxId: 'cfg_2',
  subject: 'Doors open Thursday',
  messageBody: 'Dear friend',
  context: {},
  recipients: ['a@example.com', ['b@example.com', { name: 'Bo' }]],
}

describe('a draft', () => {
  it("survives a reload, with its sender's id and without a secret key", async () => {
    const place = browser()
    await open(place)
    await bench.fill()
    bench.page.type('Recipients', 'half an addr')
    bench.page.leave()
    expect(place.copy?.content).toMatchObject({
      mailboxId: 'cfg_2',
      subject: 'Doors open Thursday',
      messageBody: 'Dear friend',
      recipients: ['a@example.com', 'half an addr'],
    })
    expect(JSON.stringify(place.copy)).not.toContain('ck_')

    await open(place)
    await bench.page.until(() => bench.chips().length === 2)
    expect(bench.page.select('From').value).toBe('ck_second')
    expect(bench.page.field('Subject Line').value).toBe('Doors open Thursday')
    expect(bench.page.field(body).value).toBe('Dear friend')
  })

  it('is saved to the server during typing, with a status', async () => {
    await open()
    await bench.fill()
    await bench.page.until(() => bench.page.text().includes('Draft saved'))
    expect(drafts.kept?.content).toMatchObject({ mailboxId: 'cfg_2', subject: 'Doors open Thursday' })
    expect(JSON.stringify(drafts.saves)).not.toContain('ck_')
  })

  it('is available on another machine, with the values of each recipient', async () => {
    drafts.kept = { content: written, revision: 3, updated_at: at }
    await open()
    await bench.page.until(() => bench.chips().length === 2)
    expect(bench.page.field(body).value).toBe('Dear friend')
    expect(bench.page.select('From').value).toBe('ck_second')
    bench.page.type('Subject Line', 'Doors open Friday')
    await bench.page.until(() => drafts.saves.length === 1)
    expect(drafts.saves[0]).toMatchObject({ base_revision: 3, content: { recipients: written.recipients } })
  })

  it('stays in this browser while the server fails, and is saved when it responds again', async () => {
    bench.api.on('getDraft', { status: 503, json: { detail: 'The service is starting.' } })
    const place = browser()
    await open(place)
    bench.page.type(body, 'Dear friend')
    await bench.page.until(() => bench.page.text().includes('Draft kept in this browser'))
    expect(place.copy?.content.messageBody).toBe('Dear friend')
    expect(bench.page.field(body).value).toBe('Dear friend')
    bench.api.on('getDraft', { status: 204 })
    await bench.page.until(() => bench.page.text().includes('Draft saved'))
    expect(drafts.saves.at(-1)?.content.messageBody).toBe('Dear friend')
  })

  it('that was edited here and elsewhere is the local one, and the other is offered', async () => {
    drafts.kept = { content: { ...written, messageBody: 'written elsewhere' }, revision: 5, updated_at: at }
    await open(browser({ content: written, revision: 4, isSaved: false, seenRevision: 0 }))
    await bench.page.until(() => bench.page.text().includes('Another version of this draft'))
    expect(bench.page.field(body).value).toBe('Dear friend')
    expect(drafts.saves[0]).toMatchObject({ base_revision: 4, content: { messageBody: 'Dear friend' } })
    bench.page.click('Show it')
    await bench.page.until(() => bench.page.field(body).value === 'written elsewhere')
    await bench.page.until(() => (drafts.kept?.content as KeptDraft).messageBody === 'written elsewhere')
    bench.page.click('Show it')
    await bench.page.until(() => bench.page.field(body).value === 'Dear friend')
  })

  it('is empty after the send, and the progress continues after a reload until every mail has left', async () => {
    const place = browser()
    bench.api.on('watchMessage', progressEvents(sampleMessage({ 'a@example.com': 'sending' })))
    await open(place)
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.alerts().includes('Email sent successfully!'))
    bench.page.leave()
    expect(place.copy?.content).toMatchObject({ subject: '', recipients: [], launched: { id: 'msg_1' } })
    bench.api.on('watchMessage', progressEvents(sampleMessage({ 'a@example.com': 'sent' })))
    await open(place)
    await bench.page.until(() => bench.page.text().includes('Sent to 1 of 1'))
    expect(bench.page.field(body).value).toBe('')
    // Once every mail has left, and not only when the line leaves the screen after 10 seconds.
    const isForgotten = () => drafts.kept === null || (drafts.kept.content as KeptDraft).launched === null
    await bench.page.until(isForgotten)
    expect(bench.page.text()).toContain('Sent to 1 of 1')
    bench.page.leave()
    await open(place)
    expect(bench.page.text()).not.toContain('Sent to 1 of 1')
  })
})

describe("the server's draft that arrives late", () => {
  const late = { content: { ...written, subject: 'Written before' }, revision: 3, updated_at: at, replaced: [] }
  /** Opens a composer whose draft is on its way; the returned function lets it arrive. */
  async function openWaiting(content: KeptDraft = late.content): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    bench.api.on('getDraft', async () => {
      await promise
      return { json: { ...late, content } }
    })
    await open()
    await bench.page.until(() => bench.api.received.some(({ path }) => path === '/drafts/compose'))
    return () => resolve(undefined)
  }
  const offered = 'Another version of this draft'

  it('does not replace what was typed meanwhile, and is offered', async () => {
    const arrive = await openWaiting()
    bench.page.type('Subject Line', 'Typed just now')
    arrive()
    await bench.page.until(() => bench.page.text().includes(offered))
    expect(bench.page.field('Subject Line').value).toBe('Typed just now')
    await bench.page.until(() => (drafts.kept?.content as KeptDraft | undefined)?.subject === 'Typed just now')
    bench.page.click('Show it')
    await bench.page.until(() => bench.page.field('Subject Line').value === 'Written before')
  })

  it('does not mix with recipients of a file that is still being read', async () => {
    const arrive = await openWaiting()
    const read = Promise.withResolvers<undefined>()
    const file = new File(['late@example.org\n'], 'people.csv')
    const bytes = await file.arrayBuffer()
    file.arrayBuffer = () => read.promise.then(() => bytes)
    const input = () => bench.page.root().querySelector<HTMLInputElement>('.ways input[type=file]')
    await bench.page.until(() => input() !== null)
    Object.defineProperty(input(), 'files', { value: [file] })
    input()?.dispatchEvent(new Event('change', { bubbles: true, composed: true }))
    arrive()
    await bench.page.until(() => bench.page.text().includes(offered))
    read.resolve(undefined)
    await bench.page.until(() => bench.chips().length > 0)
    expect(bench.chips()).toEqual(['late@example.org'])
  })

  it('is not offered when it is empty', async () => {
    const arrive = await openWaiting({ ...written, mailboxId: '', subject: '', messageBody: '', recipients: [] })
    bench.page.type('Subject Line', 'Typed just now')
    arrive()
    await bench.page.until(() => bench.page.text().includes('Draft saved'))
    expect(bench.page.text()).not.toContain(offered)
    expect(bench.page.field('Subject Line').value).toBe('Typed just now')
  })
})

describe('an empty draft', () => {
  const blank: KeptDraft = {
    mailboxId: 'cfg_2',
    subject: '',
    messageBody: '',
    mode: 'text',
    context: {},
    recipients: [],
  }
  const modeOf = () => bench.page.root().querySelector('[role=radiogroup] input:checked')?.closest('label')?.textContent
  const openWith = (content: KeptDraft) =>
    bench.ready({ mode: 'html', drafts: keepDrafts(browser({ content, revision: 1, isSaved: true, seenRevision: 0 })) })

  it('opens in the mode that the page names, and one with a subject in its own', async () => {
    await openWith(blank)
    await bench.page.until(() => bench.page.select('From').value === 'ck_second')
    await bench.page.until(() => modeOf() === 'HTML')
    bench.page.leave()
    await openWith({ ...blank, subject: 'Doors' })
    await bench.page.until(() => bench.page.field('Subject Line').value === 'Doors')
    await bench.page.until(() => modeOf() === 'Text')
  })
})

describe('leaving the page', () => {
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  }

  it('needs no confirmation while the draft is stored', async () => {
    await open()
    expect(leave()).toBe(false)
    bench.page.type(body, 'Dear friend')
    expect(leave()).toBe(false)
    await bench.page.until(() => bench.page.text().includes('Draft saved'))
    expect(leave()).toBe(false)
  })

  it('needs a confirmation when the draft cannot be stored', async () => {
    bench.api.on('saveDraft', { status: 500, json: { detail: 'Broken.' } })
    const place = browser()
    place.isFull = true
    await open(place)
    bench.page.type(body, 'Dear friend')
    await bench.page.until(() => bench.page.text().includes('Draft not saved'))
    expect(leave()).toBe(true)
    let asked = 0
    Object.assign(window, { confirm: () => ++asked < 0 }) // Missing in the simulated page.
    const link = document.body.appendChild(Object.assign(document.createElement('a'), { href: '/elsewhere' }))
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, composed: true })
    link.dispatchEvent(click)
    link.remove()
    expect([asked, click.defaultPrevented]).toEqual([1, true])
  })
})
