import { expect, it } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { cors, pageWith } from '../../support/embed-site.ts'
import { sampleMessage } from '../../support/samples.ts'

const bench = embedBench()
type State = 'sent' | 'failed'
const progress = (ann: State) => ({
  text: `event: progress\ndata: ${JSON.stringify(sampleMessage({ 'ann@example.com': ann, 'ben@example.com': 'sent' }))}\n\n`,
  headers: { 'Content-Type': 'text/event-stream', ...cors },
})
const retryButton = { name: 'Retry 1 failed' }

/** A composer that has sent to two recipients, one of which was refused. */
async function launched({ faults = /^$/ } = {}) {
  bench.embed.api.on('watchMessage', progress('failed'))
  const options = 'data-sendwright-recipients="ann@example.com, ben@example.com" data-sendwright-subject="Hello"'
  bench.host.on('/', pageWith(bench.embed, `<div data-sendwright="compose" ${options}></div>`))
  const opened = await openPage(bench.browser, { allowFaults: faults })
  const { page } = opened
  await page.goto(bench.host.url)
  await waitForState(page, 'ready')
  await page.getByLabel('From', { exact: true }).selectOption({ index: 1 })
  await page.getByLabel('Message body').fill('Hi')
  await page.getByRole('button', { name: 'Launch Message' }).click()
  await page.getByRole('region', { name: 'Progress' }).waitFor()
  return opened
}

it('a failed delivery can be retried from the page, and its result is shown', async () => {
  await using opened = await launched()
  const { page } = opened
  const answer = { message: '1 recipient is sent to again', resent: 1, suppressed: 0 }
  bench.embed.api.on('retryMessage', { json: answer, headers: cors })
  const requested = page.waitForRequest((request) => request.url().endsWith('/retry') && request.method() === 'POST')
  await page.getByRole('button', retryButton).waitFor()
  bench.embed.api.on('watchMessage', progress('sent'))
  await page.getByRole('button', retryButton).click()
  expect((await requested).headers()['authorization']).toBe('Bearer es_one')
  await page.getByRole('status').filter({ hasText: 'Sent to 2 of 2' }).waitFor()
  await expect.poll(() => page.getByRole('button', retryButton).count()).toBe(0)
})

it('an exhausted quota is shown beside the button, which stays', async () => {
  await using opened = await launched({ faults: /429/ })
  const { page } = opened
  const detail = 'This session has reached its sending limit.'
  bench.embed.api.on('retryMessage', { status: 429, json: { detail }, headers: cors })
  await page.getByRole('button', retryButton).click()
  await page.getByText(detail).waitFor()
  await expect.poll(() => page.getByRole('button', retryButton).isEnabled()).toBe(true)
})
