import { expect, it } from 'vitest'
import { openPage, useBrowser } from '../support/browser.ts'
import { makeHostedKey } from '../support/hosted.ts'
import { useServer } from '../support/server.ts'

const server = await useServer()
const browser = await useBrowser()

it('HOSTED-24 HOSTED-25 a page of the server subscribes to the templates with its own key, under its own content policy', async () => {
  await using opened = await openPage(browser)
  const { page } = opened
  await page.goto(`${server.url}/login`)
  const reported = page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const key = document.querySelector<HTMLMetaElement>('meta[name="sendwright-hosted-key"]')?.content ?? ''
        const socket = new WebSocket('/realtime/collections/templates')
        const messages: string[] = []
        socket.onopen = () => socket.send(key)
        socket.onclose = ({ code }) => reject(new Error(`closed with ${code}`))
        socket.onmessage = ({ data }) => {
          messages.push(String(data))
          if (messages.length === 1) document.title = 'following'
          if (messages.length === 2) resolve(messages)
        }
      }),
  )
  await page.waitForFunction(() => document.title === 'following')
  const { key } = await makeHostedKey(server, 'write')
  const { body: added } = await server.call('POST', '/collections/documents?collection=templates', {
    headers: { 'x-api-key': key },
    body: { id: 'global-own', data: { subject: 'Hello' } },
  })
  const [ready, change] = (await reported).map((text) => JSON.parse(text) as unknown)
  expect(ready).toEqual({ type: 'ready', last_id: 0 })
  expect(change).toEqual({ type: 'created', id: 1, document: added })
})
