import { expect, it } from 'vitest'
import { attachedImages } from './attached-images.ts'

const part = (...lines: string[]) => ['--b', ...lines].join('\r\n')
const image = ['Content-Type: image/png; name="a.png"', 'Content-Transfer-Encoding: base64']

it('finds the images of a mail by their Content-ID, and leaves other parts out', () => {
  const raw = [
    'Subject: Doors\r\nContent-Type: multipart/related; boundary="b"\r\n',
    part('Content-Type: text/html', 'Content-ID: <page@inline>', '', '<p>x</p>'),
    part(...image, 'Content-ID: <one@inline>', '', 'iVBO', 'Rw0K'),
    part(...image, '', 'AAAA'),
    part('Content-Type: image/svg+xml', 'Content-Transfer-Encoding: base64', 'Content-ID: <two@inline>', '', 'AAAA'),
    part(...image, 'Content-ID: <three@inline>', '', '"><script>'),
    '--b--\r\n',
  ].join('\r\n')
  expect([...attachedImages(raw)]).toEqual([['one@inline', 'data:image/png;base64,iVBORw0K']])
})

it('reads a mail of one part, and one that ends in its headers', () => {
  expect(attachedImages('Subject: Doors\r\n\r\nDear friend').size).toBe(0)
  expect(attachedImages(`--b\r\n${image.join('\r\n')}\r\nContent-ID: <a>`).size).toBe(0)
})
