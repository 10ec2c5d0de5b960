import { expect, it } from 'vitest'
import { createFormStore } from './form-store.ts'

it('keeps what is typed while the form is being saved, and does not call it saved', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const store = createFormStore({
    initial: { name: '' },
    check: () => ({}),
    save: () => promise,
    isEmptiedWhenSaved: true,
  })
  store.write('name', 'Harbour')
  const saving = store.submit()
  store.write('name', 'Harbour Hall')
  resolve(undefined)
  await saving
  expect(store.state).toMatchObject({ status: 'idle', values: { name: 'Harbour Hall' } })
  await store.submit()
  expect(store.state).toMatchObject({ status: 'saved', values: { name: '' } })
})
