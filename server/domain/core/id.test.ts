import { describe, expect, it } from 'vitest'
import { createNewId, isRowId } from './id.ts'

describe('ids of rows', () => {
  it('are UUIDs of version 7 that contain their millisecond', () => {
    const id = createNewId(() => 0x018f_3a5b_7c21)()
    expect(isRowId(id)).toBe(true)
    expect(id).toMatch(/^018f3a5b-7c21-7000-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  it('are monotonic, also many in a millisecond and after the clock was set back', () => {
    const times = [...Array.from({ length: 10_000 }, () => 1_000), 400, 400, 1_001, 2_000]
    const newId = createNewId(() => times.shift() ?? 0)
    const ids = Array.from({ length: 10_004 }, newId)
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  })
})
