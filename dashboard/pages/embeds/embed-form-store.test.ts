import { expect, it } from 'vitest'
import { startApi } from '../../../tests/support/api-server.ts'
import { sampleEmbed } from '../../../tests/support/samples.ts'
import { testSession } from '../../../tests/support/widget-page.ts'
import { createEmbedFormStore } from './embed-form-store.ts'

it('keeps what is typed while the embed is being saved', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const embed = sampleEmbed()
  await using api = await startApi({
    updateEmbed: async () => {
      await promise
      return { json: { ...embed, name: 'Shop' } }
    },
  })
  const store = createEmbedFormStore(testSession(api.url), embed, () => undefined)
  store.write({ name: 'Shop' })
  const saving = store.save()
  store.write({ name: 'Shop in town' })
  resolve(undefined)
  await saving
  expect(store.state).toMatchObject({ status: 'editing', draft: { name: 'Shop in town' } })
  expect(store.isDirty()).toBe(true)
})
