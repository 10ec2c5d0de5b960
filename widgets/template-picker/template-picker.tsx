import { useSnapshot } from 'valtio'
import { Button } from '../kit/form/button.tsx'
import { plus } from '../kit/icon/icons.ts'
import { createSheet, useSheet } from '../kit/shadow/sheet.ts'
import { useModule } from '../kit/use-module.ts'
import { searchPlaceholder } from '../lib/template-messages.ts'
import { css } from './template-picker.css'
import type { TemplatePickerStore } from './template-picker-store.ts'
import { useMessages } from '../kit/text/text.tsx'

const sheet = createSheet(css)
const loadCards = () => import('./template-cards.tsx')
const loadDialog = () => import('./create-dialog.tsx')

const names = { own: 'Your templates', global: 'Global templates' } as const

export interface TemplatePickerProps {
  store: TemplatePickerStore
  start: 'pick' | 'create'
  /** The dialog that `start: 'create'` opened has ended. */
  onClosed: () => void
}

/** Templates to choose one from: own and global ones, with a search. */
export function TemplatePicker({ store, start, onClosed }: TemplatePickerProps) {
  useSheet(sheet)
  const t = useMessages()
  const { sources, source, query, dialog } = useSnapshot(store.state, { sync: true })
  const isPicking = start === 'pick'
  const cards = useModule(loadCards, isPicking)
  const creating = useModule(loadDialog, !isPicking || dialog === 'create')

  return (
    <div className="picker">
      {isPicking && (
        <>
          <div className="picker-head">
            {sources.length > 1 && (
              <div className="tabs" role="group" aria-label={t('Templates')}>
                {sources.map((one) => (
                  <button key={one} type="button" aria-pressed={one === source} onClick={() => store.show(one)}>
                    {t(names[one])}
                  </button>
                ))}
              </div>
            )}
            <input
              type="search"
              aria-label={t('Search templates')}
              placeholder={t(searchPlaceholder)}
              value={query}
              onChange={(event) => store.search(event.currentTarget.value)}
            />
            {sources.includes('own') && (
              <Button data-needs="templates:write" size="small" icon={plus} onClick={() => store.openCreate()}>
                {t('New')}
              </Button>
            )}
          </div>
          {cards.module && <cards.module.TemplateCards store={store} name={t(names[source])} />}
          {!cards.module && !cards.retry && <div className="picker-place" role="status" aria-label={t('Loading...')} />}
          {cards.retry && (
            <div className="picker-place" role="alert">
              {t('The templates could not be loaded.')} <Button onClick={cards.retry}>{t('Try Again')}</Button>
            </div>
          )}
        </>
      )}
      {creating.module && (!isPicking || dialog === 'create') && (
        <creating.module.CreateDialog
          store={store}
          onClosed={() => {
            store.closeCreate()
            if (!isPicking) onClosed()
          }}
        />
      )}
      {creating.retry && (
        <div className="picker-place" role="alert">
          {t('The form could not be loaded.')} <Button onClick={creating.retry}>{t('Try Again')}</Button>
        </div>
      )}
    </div>
  )
}
