import { beforeEach, describe, expect, it } from 'vitest'
import { body, composeBench } from '../../../tests/support/compose-bench.ts'
import { campaignCounts, sampleCampaign } from '../../../tests/support/samples.ts'
import './recipient-sources.ts' // Read before the clock of a test runs.
import './recipient-ways.tsx'

const bench = composeBench()

/** Drops files on the element with this selector; gives whether the browser stays on the page. */
function drop(selector: string, ...files: File[]): boolean {
  const target = bench.page.root().querySelector(selector)!
  const dispatch = (type: string) => {
    const event = Object.assign(new Event(type, { bubbles: true, composed: true, cancelable: true }), {
      dataTransfer: { types: ['Files'], files },
    })
    target.dispatchEvent(event)
    return event.defaultPrevented
  }
  return dispatch('dragover') && dispatch('drop')
}
const box = '.row:has(.chips)'
const csv = (text: string | Uint8Array<ArrayBuffer>, name = 'guests.csv') =>
  new File([text], name, { type: 'text/csv' })
const guests = (count: number) =>
  csv(
    `email;vorname;ort;plz\n${Array.from({ length: count }, (_, at) => `v${at}@example.org;Ada;Ulm;89073\n`).join('')}`,
  )
const until = (text: string) => bench.page.until(() => bench.page.text().includes(text))
const sources = () => [...bench.page.root().querySelectorAll('.source-name')].map((one) => one.textContent)
const subject = () => bench.page.root().querySelector('.sheet-subject')?.textContent
const cells = () =>
  [...bench.page.root().querySelectorAll('.report tbody tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => cell.querySelector('input')?.value ?? cell.textContent),
  )

describe('a file for the composer', () => {
  it('AUDIENCE-06 is taken by a drop anywhere on the recipients box, and the page is not left', async () => {
    await bench.ready()
    expect(drop(box, guests(2))).toBe(true)
    await bench.page.until(() => bench.chips().length === 2)
    expect(drop('.row:has(.chips) label', csv('c@example.org\n', 'more.txt'))).toBe(true)
    await bench.page.until(() => bench.chips().length === 3)
    expect(sources()).toEqual(['guests.csv 2', 'more.txt 1'])
  })

  it('is taken by the button, and a TSV by it too', async () => {
    await bench.ready()
    expect(bench.page.button('Choose a File').tagName).toBe('BUTTON')
    const input = bench.page.root().querySelector<HTMLInputElement>('input[type=file]')!
    Object.defineProperty(input, 'files', { value: [csv('email\tname\na@example.org\tAda\n', 'guests.tsv')] })
    input.dispatchEvent(new Event('change', { bubbles: true }))
    await bench.page.until(() => bench.chips().length === 1)
  })

  it('AUDIENCE-09 the notice names count and columns', async () => {
    await bench.ready()
    drop(box, guests(200))
    await until('200 recipients, columns: vorname, ort, plz')
  })

  it('AUDIENCE-11 a quoted line break stays in its cell, and empty rows are counted and are no chip', async () => {
    await bench.ready()
    drop(box, csv('email,note\n\na@example.org,"one\ntwo"\n,\nb@example.org,\n'))
    await until('2 empty rows skipped')
    await bench.page.until(() => bench.chips().length > 0)
    expect(bench.chips()).toEqual(['a@example.org', 'b@example.org'])
    await bench.page.until(() => cells().length > 0)
    expect(cells()).toEqual([['note', 'note', 'one\ntwo']])
  })

  it('is read in its encoding', async () => {
    await bench.ready()
    const bytes = Uint8Array.from('email;stadt\na@example.org;Köln\n', (char) => char.charCodeAt(0))
    drop(box, csv(bytes))
    await until('1 recipient, columns: stadt')
    await bench.page.until(() => cells().length > 0)
    expect(cells()).toEqual([['stadt', 'stadt', 'Köln']])
  })

  it.each([
    ['an empty one', csv(''), 'The file is empty. Choose another one.'],
    ['a workbook', csv('PK', 'guests.xlsx'), 'save the sheet as CSV, then choose that file.'],
    ['one without recipients', csv('\n\n'), 'guests.csv has no recipients. Choose another file.'],
    [
      'a quote that never closes',
      csv('email,name\na@example.org,"Ada\n'),
      'Line 2 of guests.csv has a quote that is never closed.',
    ],
    ['pictures', csv(new Uint8Array(64)), 'This is no text file.'],
  ])('%s adds nothing, with a sentence that says what to do', async (_, file, sentence) => {
    await bench.ready()
    drop(box, file)
    await bench.page.until(() => bench.alerts().includes(sentence))
    expect(bench.chips()).toEqual([])
  })
})

describe('columns', () => {
  it('AUDIENCE-08 are listed with variable name and three values; a changed name fills the variable of the new name', async () => {
    await bench.ready()
    bench.page.choose('From', 'ck_second')
    bench.page.type('Subject Line', 'For {{nickname}}')
    bench.page.type(body, 'Dear {{nickname}}')
    bench.paste(
      'email,Vorname,ort\na@example.org,Ada,Ulm\nb@example.org,Bo,Bonn\nc@example.org,Cy,\nd@example.org,Di,Jena',
    )
    await bench.page.until(() => cells().length === 2)
    expect(cells()).toEqual([
      ['Vorname', 'Vorname', 'Ada · Bo · Cy'],
      ['ort', 'ort', 'Ulm · Bonn · Jena'],
    ])
    await until('empty for 4')
    bench.page.type('Variable of the column Vorname', 'nickname')
    bench.page.press(bench.page.field('Variable of the column Vorname'), 'Enter')
    await until('4 have their own')
    expect(subject()).toBe('For Ada')
    expect(bench.page.text()).not.toContain('empty for')
  })

  it('a name that is none, or that another column has, is refused with the reason', async () => {
    await bench.ready()
    bench.paste('email,name,city\na@example.org,Ada,Ulm\nb@example.org,Bo,Bonn')
    await bench.page.until(() => cells().length === 2)
    const rename = (name: string) => {
      bench.page.type('Variable of the column name', name)
      bench.page.press(bench.page.field('Variable of the column name'), 'Enter')
    }
    rename('1st')
    await bench.page.until(() => bench.alerts().includes('Begin with a letter'))
    rename('City')
    await bench.page.until(() => bench.alerts().includes('Another column fills this variable.'))
    expect(bench.page.field('Variable of the column name').getAttribute('aria-invalid')).toBe('true')
  })

  it('AUDIENCE-10 a column Vorname fills {{Vorname}} and {{vorname}}, and the mapping shows its spelling', async () => {
    await bench.ready()
    bench.page.type('Subject Line', '{{vorname}} {{Vorname}}')
    bench.page.type(body, 'Hello')
    bench.paste('email,Vorname\na@example.org,Ada\nb@example.org,Bo')
    await bench.page.until(() => subject() === 'Ada Ada')
    await bench.page.until(() => cells().length === 1)
    expect(cells()).toEqual([['Vorname', 'Vorname', 'Ada · Bo']])
  })

  it('are hidden and shown again by the name of their source', async () => {
    await bench.ready()
    drop(box, guests(2))
    await bench.page.until(() => cells().length === 3)
    const name = bench.page.root().querySelector<HTMLButtonElement>('button.source-name')!
    expect(name.getAttribute('aria-expanded')).toBe('true')
    name.click()
    await bench.page.until(() => cells().length === 0)
    name.click()
    await bench.page.until(() => cells().length === 3)
  })
})

describe('the notice', () => {
  const mixed = [
    ...Array.from({ length: 23 }, (_, at) => `v${at}@example.org`),
    ...Array.from({ length: 22 }, (_, at) => `front desk ${at}`),
  ].join('\n')

  it('AUDIENCE-12 counts both results and lists the reasons in a part that scrolls', async () => {
    await bench.ready()
    bench.paste(mixed)
    await until('23 added, 22 not understood')
    const reasons = bench.page.root().querySelector('[role=region][tabindex="0"]')!
    expect(reasons.getAttribute('aria-label')).toBe('Entries that were not understood')
    expect(reasons.querySelectorAll('li')).toHaveLength(22)
    expect(reasons.querySelector('li')?.textContent).toContain('front desk 0 contains more than an address')
    expect(bench.page.text()).toContain('Scroll to see all 22 reasons')
  })

  it('AUDIENCE-13 a second paste replaces it, and its undo takes back the second paste only', async () => {
    await bench.ready()
    bench.paste('a@example.org\nb@example.org')
    await until('2 recipients added')
    bench.paste('c@example.org\nfront desk\nd@example.org')
    await until('2 added, 1 not understood')
    expect(bench.page.text()).not.toContain('2 recipients added')
    await bench.addRecipient('typed@example.org')
    bench.page.click('Undo')
    await bench.page.until(() => bench.chips().length === 3)
    expect(bench.chips()).toEqual(['a@example.org', 'b@example.org', 'typed@example.org'])
    expect(sources()).toEqual(['Pasted addresses 2'])
  })

  it('goes with its source, and the removal can be undone', async () => {
    await bench.ready()
    drop(box, guests(3))
    await until('3 recipients, columns')
    bench.page.click('Remove guests.csv')
    await bench.page.until(() => bench.chips().length === 0)
    expect(bench.page.text()).not.toContain('columns: vorname')
    await bench.page.until(() => bench.page.button('Undo'))
    bench.page.click('Undo')
    await bench.page.until(() => bench.chips().length === 3)
    expect(sources()).toEqual(['guests.csv 3'])
  })
})

describe('merge variables', () => {
  it('AUDIENCE-14 the panel says what its values are for, and counts the recipients that have their own', async () => {
    await bench.ready()
    bench.page.type(body, 'Dear {{vorname}}')
    drop(box, guests(200))
    await until('Value for recipients without their own')
    await until('200 have their own')
  })

  it('AUDIENCE-15 for {{First Name}} {{first_name}} is offered, and one click replaces it', async () => {
    await bench.ready()
    bench.page.type('Subject Line', 'For {{ First Name | default: "you" }}')
    bench.page.type(body, 'Dear {{First Name}}, {{city}}')
    await bench.page.until(() => bench.page.button('Use {{first_name}}'))
    bench.page.click('Use {{first_name}}')
    await bench.page.until(() => bench.page.field(body).value === 'Dear {{first_name}}, {{city}}')
    expect(bench.page.field('Subject Line').value).toBe('For {{ first_name | default: "you" }}')
    expect(bench.page.text()).not.toContain('Use {{')
  })

  it('offers the spelling that a column has', async () => {
    await bench.ready()
    bench.page.type(body, 'Dear {{First Name}}')
    bench.paste('email,FirstName\na@example.org,Ada\nb@example.org,Bo')
    await bench.page.until(() => bench.page.button('Use {{FirstName}}'))
  })
})

describe('the campaign of a file', () => {
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
      json: { added: 2, suppressed: 0, duplicates: 0, refused: 0, refusals: [] },
    })
    bench.api.on('getEmailCampaign', { json: sampleCampaign({ counts: campaignCounts({ queued: 2 }) }) })
    bench.api.on('deleteEmailCampaign', { status: 204 })
  })

  it('has each recipient with the values of its row, whatever the spelling in the message', async () => {
    await bench.ready()
    bench.page.choose('From', 'ck_second')
    bench.page.type('Subject Line', 'Hello')
    bench.page.type(body, 'Dear {{vorname}}')
    drop(box, csv('E-Mail;Vorname\na@example.org;Ada\nb@example.org;Bo\n'))
    await bench.page.until(() => !bench.launch().disabled)
    bench.page.click('Launch Message')
    await until('2 will get it.')
    bench.page.click('Launch Campaign')
    await bench.page.until(() => bench.api.received.some(({ path }) => path.endsWith('/recipients')))
    const { text = '' } = bench.api.received.find(({ path }) => path.endsWith('/recipients')) ?? {}
    expect(text.split('\n').map((line) => JSON.parse(line) as unknown)).toEqual([
      { email: 'a@example.org', context: { Vorname: 'Ada' } },
      { email: 'b@example.org', context: { Vorname: 'Bo' } },
    ])
  })
})
