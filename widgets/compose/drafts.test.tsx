import { describe, expect, it } from 'vitest'
import { body, composeBench } from '../../tests/support/compose-bench.ts'
import { keepDrafts, type KeptDraft } from './draft-store.ts'

const bench = composeBench()

describe('a draft', () => {
  function storage(kept: KeptDraft | null = null) {
    const place = { kept, read: () => place.kept, write: (draft: KeptDraft | null) => void (place.kept = draft) }
    return place
  }

  it('survives a reload, its sender by id: no secret key is kept', async () => {
    const place = storage()
    await bench.ready({ drafts: keepDrafts(place) })
    await bench.fill()
    bench.page.type('Recipients', 'half an addr')
    bench.page.leave()
    expect(place.kept).toMatchObject({ configId: 'cfg_2', subject: 'Doors open Thursday', messageBody: 'Dear friend' })
    expect(place.kept?.recipients).toEqual(['a@example.com', 'half an addr'])
    expect(JSON.stringify(place.kept)).not.toContain('ck_')

    await bench.ready({ drafts: keepDrafts(place) })
    await bench.page.until(() => bench.chips().length === 2)
    expect(bench.page.select('From').value).toBe('ck_second')
    expect(bench.page.field('Subject Line').value).toBe('Doors open Thursday')
    expect(bench.page.field(body).value).toBe('Dear friend')
  })

  it('says when it was saved, and is forgotten once it is sent', async () => {
    const place = storage()
    await bench.ready({ drafts: keepDrafts(place) })
    await bench.fill()
    await bench.page.until(() => bench.page.text().includes('Draft saved'))
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.alerts().includes('Email sent successfully!'))
    expect(place.kept).toBeNull()
  })
})
