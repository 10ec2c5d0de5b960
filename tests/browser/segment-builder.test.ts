import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { segmentErrors } from '../../contract/audience/segment.errors.ts'
import type { SegmentPreview } from '../../contract/audience/segment.ts'
import { answerAudience, previewEvents, sampleSegment } from '../support/audience-screens.ts'
import { openDashboard, pathOf, useDashboard } from '../support/dashboard-page.ts'
import { checkScenes, type Scene } from '../support/scenes.ts'

const { browser, site } = await useDashboard()
beforeEach(() => answerAudience(site))

const open = (id = 'new') => openDashboard(browser, site, { path: `/dashboard/segments/${id}`, token: 'at_1' })
const rule = (page: Page, number: number, group = page.getByRole('region', { name: 'Rules' })) =>
  group.getByRole('group', { name: `Rule ${number}`, exact: true })
const sentence = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()
const optionsOf = (page: Page, label: string, number = 1) =>
  rule(page, number).getByLabel(label, { exact: true }).locator('option:enabled').allTextContents()
const choose = async (page: Page, number: number, field: string, operator?: string) => {
  await rule(page, number).getByLabel('Field', { exact: true }).selectOption({ label: field })
  if (operator !== undefined)
    await rule(page, number).getByLabel('Operator', { exact: true }).selectOption({ label: operator })
}
const menu = async (page: Page, name: string, item: string) => {
  await page
    .getByRole('button', { name: `Actions of ${name}`, exact: true })
    .first()
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const previewed = () =>
  site.received
    .filter(({ path }) => path === '/email/segments/preview')
    .map(({ body }) => (body as { rule: object }).rule)
const people = (page: Page) => page.getByRole('region', { name: 'People' })

it('a segment is kept up to date once its switch is on and it is saved', async () => {
  await using opened = await open('1')
  const { page } = opened
  const live = page.getByRole('switch', { name: 'Keep it up to date' })
  await expect.poll(() => live.isChecked()).toBe(false)
  await live.focus()
  await page.keyboard.press('Space')
  await page.getByText('Unsaved changes').waitFor()
  site.on('updateSegment', ({ body }) => ({ json: sampleSegment({ ...(body as object), is_live: true }) }))
  await page.getByRole('button', { name: 'Save segment' }).click()
  await page.getByText('All changes saved').waitFor()
  expect(site.received.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
    expect.objectContaining({ is_live: true }),
  ])
  site.on('updateSegment', { status: 409, json: { detail: segmentErrors.segment_live_limit_reached.sentence } })
  await live.click()
  await page.getByRole('button', { name: 'Save segment' }).click()
  await page.getByText('50 segments are kept up to date already.').waitFor()
})

describe('the rules of a segment', () => {
  it("SEGMENTS-02 stand in groups 'All of these' and 'Any of these', one in another", async () => {
    await using opened = await open()
    const { page } = opened
    await sentence(page, 'Choose a field below to describe who belongs to the segment.')
    await page.getByRole('button', { name: 'Group' }).click()
    const inner = page.getByRole('group', { name: 'All of these' }).getByRole('group', { name: 'Any of these' })
    await inner.getByRole('button', { name: 'Group' }).click()
    await inner.getByRole('group', { name: 'All of these' }).waitFor()
    await inner.getByLabel('How the rules combine').first().selectOption({ label: 'All of these' })
    await expect.poll(() => page.getByRole('group', { name: 'All of these' }).count()).toBe(3)
  })

  it('SEGMENTS-03 are told in one sentence, which follows every change', async () => {
    await using opened = await open('1')
    const { page } = opened
    await sentence(page, 'People on Newsletter and whose City is Berlin.')
    await rule(page, 2).getByLabel('Value').fill('Hamburg')
    await sentence(page, 'People on Newsletter and whose City is Hamburg.')
    await page.getByLabel('How the rules combine').selectOption({ label: 'Any of these' })
    await sentence(page, 'People on Newsletter or whose City is Hamburg.')
    await rule(page, 1).getByLabel('Operator').selectOption({ label: 'is not a member of' })
    await menu(page, 'Rule 2', 'Add “not”')
    await sentence(page, 'People not on Newsletter or not among those whose City is Hamburg.')
    await menu(page, 'Rule 1', 'Remove')
    await sentence(page, 'People not among those whose City is Hamburg.')
  })

  it('SEGMENTS-04 can be negated, alone and as a group', async () => {
    await using opened = await open('1')
    const { page } = opened
    await menu(page, 'Rule 2', 'Add “not”')
    const [list, city] = [
      { list: '1', op: 'member_of' },
      { field: 3, op: 'is', value: 'Berlin' },
    ]
    await expect.poll(() => previewed().at(-1)).toEqual({ all: [list, { not: city }] })
    await menu(page, 'Rule 2', 'Remove “not”')
    await menu(page, 'All of these', 'Add “not”')
    await expect.poll(() => previewed().at(-1)).toEqual({ not: { all: [list, city] } })
  })

  it.each([
    [
      'SEGMENTS-05 a text field',
      'City',
      ['is', 'is not', 'contains', 'starts with', 'is one of', 'is set', 'is not set'],
    ],
    [
      'SEGMENTS-05 a choice field',
      'Plan',
      ['is', 'is not', 'contains', 'starts with', 'is one of', 'is set', 'is not set'],
    ],
    [
      'SEGMENTS-06 a number field',
      'Visits',
      [
        'is equal to',
        'is not equal to',
        'is less than',
        'is at most',
        'is more than',
        'is at least',
        'is between',
        'is set',
        'is not set',
      ],
    ],
    ['SEGMENTS-06 a boolean field', 'Customer', ['is true', 'is false', 'is set', 'is not set']],
    [
      'SEGMENTS-07 a date field',
      'Birthday',
      [
        'is before',
        'is after',
        'is between',
        'is within the last',
        'is older than',
        'has its anniversary in',
        'is set',
        'is not set',
      ],
    ],
  ])('%s offers its operators', async (_row, field, operators) => {
    await using opened = await open()
    const { page } = opened
    await choose(page, 1, field)
    await expect.poll(() => optionsOf(page, 'Operator')).toEqual(operators)
  })

  it.each<[operator: string, field: string, fill: Record<string, string>, rule: object]>([
    ['is', 'City', { Value: 'Berlin' }, { field: 3, op: 'is', value: 'Berlin' }],
    ['is between', 'Visits', { From: '3', To: '5.5' }, { field: 4, op: 'between', value: [3, 5.5] }],
    ['is at least', 'Visits', { Value: '-2' }, { field: 4, op: 'gte', value: -2 }],
    ['is before', 'Birthday', { Value: '2000-02-29' }, { field: 5, op: 'before', value: '2000-02-29' }],
    ['has its anniversary in', 'Birthday', { Days: '7' }, { field: 5, op: 'anniversary_in_days', value: 7 }],
    ['is false', 'Customer', {}, { field: 6, op: 'is_false' }],
    ['is not set', 'Email address', {}, { field: 'email', op: 'is_not_set' }],
    ['is within the last', 'Date added', { Days: '0' }, { field: 'created_at', op: 'within_days', value: 0 }],
    ['not within the last', 'Mails sent', { Days: '30' }, { not: { behaviour: 'was_sent', within_days: 30 } }],
    [
      'within the last',
      'Mails sent',
      { Days: '30', 'Number of mails': '3' },
      { behaviour: 'was_sent', within_days: 30, times: 3 },
    ],
  ])("'%s' of %s becomes a rule", async (operator, field, values, expected) => {
    await using opened = await open()
    const { page } = opened
    await choose(page, 1, field, operator)
    for (const [label, value] of Object.entries(values))
      await rule(page, 1).getByLabel(label, { exact: true }).fill(value)
    await expect.poll(() => previewed().at(-1)).toEqual({ all: [expected] })
  })

  it("takes several values for 'is one of', added by Enter and removed by Backspace", async () => {
    await using opened = await open()
    const { page } = opened
    await choose(page, 1, 'City', 'is one of')
    const values = rule(page, 1).getByLabel('Values')
    for (const city of ['Berlin', 'Hamburg', 'Bonn']) {
      await values.fill(city)
      await values.press('Enter')
    }
    await values.press('Backspace')
    await sentence(page, 'People whose City is Berlin or Hamburg.')
    await expect
      .poll(() => previewed().at(-1))
      .toEqual({
        all: [{ field: 3, op: 'is_one_of', value: ['Berlin', 'Hamburg'] }],
      })
  })

  it('SEGMENTS-08 on a list ask for members, for others, and for members in one state', async () => {
    await using opened = await open()
    const { page } = opened
    await choose(page, 1, 'List')
    await rule(page, 1).getByLabel('List', { exact: true }).selectOption({ label: 'Newsletter' })
    await expect.poll(() => previewed().at(-1)).toEqual({ all: [{ list: '1', op: 'member_of' }] })
    await rule(page, 1).getByLabel('Operator').selectOption({ label: 'is not a member of' })
    await expect.poll(() => previewed().at(-1)).toEqual({ all: [{ list: '1', op: 'not_member_of' }] })
    await expect
      .poll(() => optionsOf(page, 'State of the member'))
      .toEqual(['Subscribed', 'Not confirmed', 'Unsubscribed'])
    await choose(page, 1, 'List', 'is a member of')
    await rule(page, 1).getByLabel('State of the member').selectOption({ label: 'Not confirmed' })
    await expect.poll(() => previewed().at(-1)).toEqual({ all: [{ list: '1', op: 'member_of', state: 'pending' }] })
  })

  it('refer to another segment, and never to the segment itself', async () => {
    answerAudience(site, { segments: [sampleSegment(), sampleSegment({ id: '2', name: 'Warm', rule: { all: [] } })] })
    await using opened = await open('2')
    const { page } = opened
    await page.getByRole('button', { name: 'Rule', exact: true }).click()
    await choose(page, 1, 'Segment')
    await expect.poll(() => optionsOf(page, 'Segment')).toEqual(['Readers in Berlin'])
    await rule(page, 1).getByLabel('Segment', { exact: true }).selectOption({ label: 'Readers in Berlin' })
    await sentence(page, 'People in the segment Readers in Berlin.')
  })

  it.each([
    ['Mails opened', 'never', { not: { behaviour: 'opened' } }, 'People who did not open a mail.'],
    ['Mails clicked', 'at any time', { behaviour: 'clicked' }, 'People who clicked in a mail at any time.'],
    ['Mails replied to', 'at any time', { behaviour: 'replied' }, 'People who replied to a mail at any time.'],
    ['Mails called spam', 'never', { not: { behaviour: 'complained' } }, 'People who did not call a mail spam.'],
  ])('ask about %s', async (field, operator, expected, words) => {
    await using opened = await open()
    await choose(opened.page, 1, field, operator)
    await sentence(opened.page, words)
    await expect.poll(() => previewed().at(-1)).toEqual({ all: [expected] })
  })

  it('SEGMENTS-18 suggest the most frequent values of a field, and the choices of a choice field', async () => {
    const frequent = [
      { value: 'Berlin', count: 2 },
      { value: 'Bonn', count: 1 },
    ]
    site.on('listFieldValues', ({ params }) => ({ json: params['field'] === '3' ? frequent : [] }))
    await using opened = await open()
    const { page } = opened
    await choose(page, 1, 'City')
    const value = rule(page, 1).getByLabel('Value')
    await value.focus()
    const suggested = () =>
      value.evaluate((input) => {
        const list = document.getElementById(input.getAttribute('list') ?? '')
        return [...(list?.querySelectorAll('option') ?? [])].map((option) => option.value)
      })
    await expect.poll(suggested).toEqual(['Berlin', 'Bonn'])
    await choose(page, 1, 'Plan')
    await expect.poll(() => optionsOf(page, 'Value')).toEqual(['Free', 'Team'])
  })

  it('SEGMENTS-20 that are not complete or not valid are marked at their field, and the count is a dash', async () => {
    await using opened = await open('1')
    const { page } = opened
    await people(page).getByText('431', { exact: true }).waitFor()
    await choose(page, 2, 'Visits')
    const value = rule(page, 2).getByLabel('Value')
    await rule(page, 2).getByText('Enter a number.').waitFor()
    await expect.poll(() => value.getAttribute('aria-invalid')).toBe('true')
    await people(page).getByText('–', { exact: true }).waitFor()
    await rule(page, 1).getByText('–').waitFor()
    const count = previewed().length
    await value.fill('many')
    await rule(page, 2).getByText('Enter a number.').waitFor()
    await value.fill('7')
    await people(page).getByText('431', { exact: true }).waitFor()
    await expect.poll(() => value.getAttribute('aria-invalid')).toBe(null)
    expect(previewed()).toHaveLength(count + 1)
  })

  it('show a deleted field and a deleted list as deleted', async () => {
    const deleted = {
      all: [
        { field: 30, op: 'is', value: 'x' },
        { list: '77', op: 'member_of' },
      ],
    } as const
    answerAudience(site, { segments: [sampleSegment({ rule: deleted })] })
    await using opened = await open('1')
    const { page } = opened
    await rule(page, 1).getByText('This field was deleted. Choose another one.').waitFor()
    await rule(page, 2).getByText('This list was deleted. Choose another one.').waitFor()
  })

  it('SEGMENTS-21 are added, filled in, moved and removed by keyboard alone', async () => {
    await using opened = await open()
    const { page } = opened
    const { keyboard } = page
    const pressUntil = async (key: string, name: string) => {
      for (let presses = 0; presses < 40; presses++) {
        await keyboard.press(key)
        const label = await page.evaluate(() => {
          const { activeElement: element } = document
          return element?.getAttribute('aria-label') ?? element?.textContent.trim()
        })
        if (label === name) return
      }
      throw new Error(`No ${name} was reached.`)
    }
    await rule(page, 1).waitFor()
    await page.getByLabel('Name').focus()
    await pressUntil('Tab', 'Field')
    await keyboard.type('City')
    await keyboard.press('Tab')
    await keyboard.press('Tab')
    await keyboard.type('Berlin')
    await sentence(page, 'People whose City is Berlin.')
    // The focus goes to the new rule.
    await pressUntil('Tab', 'Rule')
    await keyboard.press('Enter')
    await expect.poll(() => rule(page, 2).locator('select:focus').count()).toBe(1)
    await keyboard.type('Customer')
    await sentence(page, 'People whose City is Berlin and for whom Customer is true.')
    await pressUntil('Tab', 'Actions of Rule 2')
    await keyboard.press('Enter')
    await pressUntil('ArrowDown', 'Add “not”')
    await pressUntil('ArrowUp', 'Move up')
    await keyboard.press('Enter')
    await sentence(page, 'People for whom Customer is true and whose City is Berlin.')
    // The focus stays with the rule that was moved.
    await expect.poll(() => rule(page, 1).locator('button:focus').count()).toBe(1)
    await keyboard.press('Enter')
    await keyboard.press('Escape')
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
    await keyboard.press('Enter')
    await pressUntil('ArrowUp', 'Remove')
    await keyboard.press('Enter')
    await sentence(page, 'People whose City is Berlin.')
    await expect.poll(() => rule(page, 1).locator('button:focus').count()).toBe(1)
    await pressUntil('Tab', 'Group')
    await keyboard.press('Enter')
    await page.getByRole('group', { name: 'Any of these' }).locator('select:focus').waitFor()
  })

  it('move out of a group and into the next one', async () => {
    await using opened = await open('1')
    const { page } = opened
    await page.getByRole('button', { name: 'Group' }).click()
    const group = page.getByRole('group', { name: 'Any of these' })
    await group.waitFor()
    await menu(page, 'Rule 2', 'Move into the group below')
    await expect.poll(() => group.getByLabel('Value').count()).toBe(1)
    await group.getByRole('button', { name: 'Actions of Rule 1' }).click()
    await page.getByRole('menuitem', { name: 'Move up' }).click()
    await expect.poll(() => group.getByLabel('Value').count()).toBe(0)
  })
})

describe('the people of a segment', () => {
  it('SEGMENTS-15 are an estimate that is marked as one, then the exact number in its place', async () => {
    await using opened = await open()
    const { page } = opened
    await page.evaluate(holdPreviews)
    await choose(page, 1, 'Customer')
    await sendPreview(page, { count: 20_500, is_estimate: true, took_ms: 3, contacts: [], steps: [] })
    await people(page).getByText('about 20,500', { exact: true }).waitFor()
    await people(page).getByText('Estimate, the exact number follows').waitFor()
    await sendPreview(page, { count: 20_482, is_estimate: false, took_ms: 90, contacts: [], steps: [20_482] })
    await people(page).getByText('20,482', { exact: true }).waitFor()
    await expect.poll(() => people(page).getByText(/about/).count()).toBe(0)
  })

  it('SEGMENTS-16 are shown by ten examples', async () => {
    const contacts = Array.from({ length: 10 }, (_, at) => ({
      id: String(at + 1),
      email: `p${at}@example.org`,
      name: at === 0 ? '' : `Person ${at}`,
    }))
    site.on('previewSegment', previewEvents({ count: 431, contacts }))
    await using opened = await open('1')
    const some = opened.page.getByRole('region', { name: 'Some of them' })
    await expect.poll(() => some.getByRole('listitem').count()).toBe(10)
    await some.getByRole('link', { name: 'p0@example.org' }).waitFor()
    await expect
      .poll(() => some.getByRole('link', { name: 'Person 9' }).getAttribute('href'))
      .toBe('/dashboard/contacts/10')
  })

  it('SEGMENTS-17 are counted after each row, rows of a group included', async () => {
    const nested = {
      all: [
        { list: '1', op: 'member_of' },
        {
          any: [
            { field: 6, op: 'is_true' },
            { field: 3, op: 'is_set' },
          ],
        },
      ],
    }
    answerAudience(site, { segments: [sampleSegment({ rule: nested as never })] })
    site.on('previewSegment', previewEvents({ count: 900, steps: [1204, 700, 900] }))
    await using opened = await open('1')
    const { page } = opened
    await rule(page, 1).first().getByText('1,204').waitFor()
    const inner = page.getByRole('group', { name: 'Any of these' })
    await rule(page, 1, inner).getByText('700').waitFor()
    await rule(page, 2, inner).getByText('900').waitFor()
  })

  it('SEGMENTS-19 come with the cost of counting above one second', async () => {
    site.on('previewSegment', previewEvents({ count: 431, took_ms: 1_449, steps: [1204, 431] }))
    await using opened = await open('1')
    const { page } = opened
    await people(page).getByText('Counting took 1.4 s.').waitFor()
    site.on('previewSegment', previewEvents({ count: 430, took_ms: 900, steps: [1204, 430] }))
    await rule(page, 2).getByLabel('Value').fill('Bonn')
    await people(page).getByText('430', { exact: true }).waitFor()
    await expect
      .poll(() =>
        people(page)
          .getByText(/Counting took/)
          .count(),
      )
      .toBe(0)
  })

  it('can be counted again where counting fails', async () => {
    site.on('previewSegment', { status: 503, json: { detail: 'The service is starting.' } })
    await using opened = await open('1')
    const { page } = opened
    await people(page).getByText('The service is starting.').waitFor()
    site.on('previewSegment', previewEvents({ count: 431, steps: [1204, 431] }))
    await people(page).getByRole('button', { name: 'Try Again' }).click()
    await people(page).getByText('431', { exact: true }).waitFor()
  })
})

describe('saving a segment', () => {
  it('SEGMENTS-22 the builder says that there are unsaved changes, and shows the saved rule after a reload', async () => {
    await using opened = await open('1')
    const { page } = opened
    await page.getByText('All changes saved').waitFor()
    await rule(page, 2).getByLabel('Value').fill('Hamburg')
    await page.getByText('Unsaved changes').waitFor()
    await page.getByRole('button', { name: 'Save segment' }).click()
    await page.getByText('All changes saved').waitFor()
    await page.reload()
    await sentence(page, 'People on Newsletter and whose City is Hamburg.')
  })

  it('a new segment needs a name and complete rules, and keeps its own address', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByText('Not saved yet').waitFor()
    const save = page.getByRole('button', { name: 'Save segment' })
    await save.click()
    await page.getByText('Enter a name').waitFor()
    await page.getByLabel('Name').fill('Customers')
    await save.click()
    await page.getByText('Complete the rules that are marked, then save again.').waitFor()
    await choose(page, 1, 'Customer')
    const taken = 'A segment has this name already. Choose another name.'
    site.on('createSegment', { status: 409, json: { detail: taken } })
    await save.click()
    await page.getByText(taken).waitFor()
    await expect.poll(() => page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
    const made = sampleSegment({ id: '12', name: 'Customers', rule: { all: [{ field: 6, op: 'is_true' }] } })
    site.on('createSegment', { status: 201, json: made })
    site.on('getSegment', { json: made })
    await save.click()
    await expect.poll(() => pathOf(page)).toBe('/dashboard/segments/12')
    await sentence(page, 'People for whom Customer is true.')
  })

  it('asks before unsaved changes are left', async () => {
    await using opened = await open('1')
    const { page } = opened
    await rule(page, 2).getByLabel('Value').fill('Hamburg')
    await page.getByText('Unsaved changes').waitFor()
    const back = page.getByRole('main').getByRole('link', { name: 'Segments', exact: true })
    await back.click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(pathOf(page)).toBe('/dashboard/segments/1')
    await back.click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await expect.poll(() => pathOf(page)).toBe('/dashboard/segments')
  })

  it("shows the error and 'Try Again' where the segment cannot be loaded", async () => {
    site.on('getSegment', { status: 404, json: { detail: 'No segment has this id.' } })
    await using opened = await open('1')
    const { page } = opened
    await page.getByText('No segment has this id.').waitFor()
    site.on('getSegment', { json: sampleSegment() })
    await page.getByRole('button', { name: 'Try Again' }).click()
    await sentence(page, 'People on Newsletter and whose City is Berlin.')
  })
})

/** Runs in the page: previews are answered by `sendPreview` only. */
function holdPreviews(): void {
  const send = window.fetch.bind(window)
  window.fetch = (input, init) => {
    if (typeof input !== 'string' || !input.endsWith('/email/segments/preview')) return send(input, init)
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        ;(window as { previewStream?: typeof controller }).previewStream = controller
      },
    })
    return Promise.resolve(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }))
  }
}

async function sendPreview(page: Page, preview: SegmentPreview): Promise<void> {
  await page.waitForFunction(() => 'previewStream' in window)
  await page.evaluate(
    (text) => {
      const { previewStream } = window as { previewStream?: ReadableStreamDefaultController<Uint8Array> }
      previewStream?.enqueue(new TextEncoder().encode(text))
    },
    `event: preview\ndata: ${JSON.stringify(preview)}\n\n`,
  )
}

const scenes: Record<string, Scene> = {
  'the builder with groups, a menu and a fault': {
    path: '/dashboard/segments/1',
    token: 'at_1',
    act: async (page) => {
      await page.getByRole('button', { name: 'Group' }).click()
      await menu(page, 'Rule 2', 'Add “not”')
      await page.getByRole('button', { name: 'Actions of Rule 1' }).first().click()
      await page.getByRole('menu').waitFor()
    },
  },
  'the builder with values as chips, and a count': {
    path: '/dashboard/segments/1',
    token: 'at_1',
    prepare: () => {
      const contacts = [{ id: '1', email: 'ada@example.org', name: 'Ada' }]
      site.on('previewSegment', previewEvents({ count: 431, took_ms: 1500, contacts, steps: [1204, 431] }))
    },
    act: async (page) => {
      await choose(page, 2, 'City', 'is one of')
      await rule(page, 2).getByLabel('Values').fill('Berlin')
      await rule(page, 2).getByLabel('Values').press('Enter')
      await page.getByText('Counting took').waitFor()
    },
  },
}
checkScenes(scenes, () => ({ browser, site }))
