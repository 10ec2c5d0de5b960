import { beforeEach, describe, expect, it } from 'vitest'
import type { DeliverabilityCheck } from '../../../contract/checks/deliverability.ts'
import { body, composeBench } from '../../../tests/support/compose-bench.ts'
import * as extras from './extras.ts'

const bench = composeBench()
const finding = (rule: string, severity: 'error' | 'warning' | 'info', place: string | null) => ({
  rule,
  severity,
  sentence: `Sentence of ${rule}.`,
  remedy: `Remedy of ${rule}.`,
  place,
})
const check: DeliverabilityCheck = {
  id: 'chk_1',
  content_hash: 'aa',
  score: 70,
  parts: [
    {
      part: 'message',
      state: 'done',
      reason: null,
      findings: [finding('alt_missing', 'warning', 'https://a.example/x.png'), finding('size', 'info', null)],
    },
    { part: 'links', state: 'done', reason: null, findings: [finding('link_dead', 'error', 'https://a.example/gone')] },
    { part: 'dns', state: 'done', reason: null, findings: [] },
    { part: 'self_test', state: 'not_possible', reason: 'The self-test is not available yet.', findings: [] },
  ],
  finished_at: '2027-03-01T09:00:00.000Z',
}

const panel = () => bench.page.root().querySelector<HTMLElement>('section.check')!
const status = () => panel().querySelector('[role=status]')?.textContent
const parts = () =>
  [...panel().querySelectorAll('.check-part')].map((part) => [
    part.querySelector('b')?.textContent,
    part.querySelector('span')?.textContent,
  ])
const asked = () => bench.api.received.filter(({ path }) => path === '/email/deliverability')

beforeEach(async () => {
  bench.api.on('startDeliverabilityCheck', { json: check })
  await bench.ready({ loadExtras: () => Promise.resolve(extras) })
  bench.page.choose('From', 'ck_second')
  bench.page.type('Subject Line', 'Doors open')
  bench.page.type(body, '<p>Hello</p><img src="https://a.example/x.png">')
  await bench.page.until(() => bench.page.root().querySelector('section.check'))
})

describe('the check panel', () => {
  it('CHECK-01 shows each part as running, done, or not possible with its reason', async () => {
    const answer = Promise.withResolvers<undefined>()
    bench.api.on('startDeliverabilityCheck', async () => {
      await answer.promise
      return { json: check }
    })
    bench.page.click('Check')
    await bench.page.until(() => parts().length === 4)
    expect(parts()).toEqual([
      ['Message', 'Running'],
      ['Links', 'Running'],
      ['Domain of the sender', 'Running'],
      ['Self-test', 'Running'],
    ])
    answer.resolve(undefined)
    await bench.page.until(() => status()?.includes('70 of 100'))
    expect(parts()).toEqual([
      ['Message', 'Done'],
      ['Links', 'Done'],
      ['Domain of the sender', 'Done'],
      ['Self-test', 'Not possible'],
    ])
    expect(panel().textContent).toContain('The self-test is not available yet.')
  })

  it('shows each finding with its weight, its sentence and what to do about it', async () => {
    bench.page.click('Check')
    await bench.page.until(() => status()?.includes('70 of 100'))
    const shown = [...panel().querySelectorAll('.check-findings > li')].map(({ textContent }) => textContent)
    expect(shown).toEqual([
      'Warning Sentence of alt_missing.Remedy of alt_missing.https://a.example/x.png Show it',
      'Note Sentence of size.Remedy of size.',
      'Error Sentence of link_dead.Remedy of link_dead.https://a.example/gone Show it',
    ])
    bench.page.click('Show it')
    const source = bench.page.field(body) as unknown as HTMLTextAreaElement
    expect(source.value.slice(source.selectionStart, source.selectionEnd)).toBe('https://a.example/x.png')
  })

  it('CHECK-20 marks the earlier result as outdated after the message is changed, until it is run again', async () => {
    bench.page.click('Check')
    await bench.page.until(() => status()?.includes('70 of 100'))
    expect(panel().querySelector('.outdated')).toBeNull()
    bench.page.type('Subject Line', 'Doors open wide')
    await bench.page.until(() => status() === 'The message has changed since this check.')
    expect(panel().querySelector('.outdated')).not.toBeNull()
    bench.page.click('Check again')
    await bench.page.until(() => status()?.includes('70 of 100'))
    expect(asked().map(({ body: sent }) => (sent as { subject: string }).subject)).toEqual([
      'Doors open',
      'Doors open wide',
    ])
  })

  it('sends only values that every recipient has, and bulk for several recipients', async () => {
    bench.page.type(body, '<p>Hello {{ first_name }} of {{ city }}</p>')
    bench.paste('email,first_name,city\nann@example.org,Ann,Rome\nbob@example.org,Bob,\n')
    await bench.page.until(() => bench.chips().length === 2)
    bench.page.click('Check')
    await bench.page.until(() => asked().length === 1)
    expect(asked()[0]?.body).toMatchObject({ config_id: 'cfg_2', kind: 'bulk', context: { first_name: 'Ann' } })
    expect((asked()[0]?.body as { context: object }).context).not.toHaveProperty('city')
  })

  it('runs the self-test, whose result takes the place of its part', async () => {
    const found = { part: 'self_test', state: 'done', reason: null, findings: [finding('folder', 'info', null)] }
    bench.api.on('startSelfTest', { json: found })
    bench.page.click('Check')
    await bench.page.until(() => status()?.includes('70 of 100'))
    bench.page.click('Run the self-test')
    await bench.page.until(() => parts().at(-1)?.[1] === 'Done')
    expect(panel().textContent).toContain('Sentence of folder.')
    expect(panel().textContent).not.toContain('Run the self-test')
  })

  it('says why a check was not made, and keeps the result before it', async () => {
    bench.page.click('Check')
    await bench.page.until(() => status()?.includes('70 of 100'))
    bench.api.on('startDeliverabilityCheck', { status: 503, json: { detail: 'Too many checks run. Try again.' } })
    bench.page.click('Check again')
    await bench.page.until(() => panel().querySelector('[role=alert]')?.textContent.includes('Too many checks run'))
    expect(parts()).toHaveLength(4)
  })
})
