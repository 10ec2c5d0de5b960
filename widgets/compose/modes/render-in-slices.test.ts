import { expect, it } from 'vitest'
import { renderHtml } from '../../../mail-design/render-html.ts'
import { sampleDesign, sampleRow, textBlock } from '../../../tests/support/design-samples.ts'
import { renderInSlices } from './render-in-slices.ts'

const long = sampleDesign(Array.from({ length: 20_000 }, (_, at) => sampleRow([textBlock(`b${at}`, `Number ${at}`)])))

it('renders a large design as it is rendered at once, while other tasks of the page run', async () => {
  let taskCount = 0
  let isOver = false
  const next = () => {
    taskCount += 1
    if (!isOver) setTimeout(next)
  }
  setTimeout(next)
  const html = await renderInSlices(long, () => true)
  isOver = true
  expect(taskCount).toBeGreaterThan(3)
  expect(html).toBe(renderHtml(long))
})

it('ends without HTML once the design is no longer wanted', async () => {
  let isWanted = true
  setTimeout(() => (isWanted = false))
  expect(await renderInSlices(long, () => isWanted)).toBeNull()
})
