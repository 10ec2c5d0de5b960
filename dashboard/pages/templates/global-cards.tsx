import { useState } from 'react'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { pencil, plus } from '../../../widgets/kit/icon/icons.ts'
import { MailThumbnail } from '../../../widgets/kit/mail/mail-frame.tsx'
import { filledBody, filledSubject } from '../../../widgets/lib/template-preview.ts'
import type { TemplateRecord } from '../../../widgets/lib/template-record.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** How many cards are added at a time. */
const pageCount = 60

export interface GlobalCardsProps {
  templates: readonly TemplateRecord[]
  savingIds: readonly string[]
  onShow: (template: TemplateRecord) => void
  onSave: (template: TemplateRecord) => void
  onEdit: (template: TemplateRecord) => void
}

/** Cards with a preview of each template, with its sample values. */
export function GlobalCards({ templates, savingIds, onShow, onSave, onEdit }: GlobalCardsProps) {
  const t = useText()
  const [count, setCount] = useState(pageCount)
  return (
    <>
      <ul className="global-cards" aria-label={t('Global templates')}>
        {templates.slice(0, count).map((template) => (
          <li key={template.id} className="panel global-card">
            <MailThumbnail html={filledBody(template)} />
            <div className="global-words">
              <h2>
                <button type="button" onClick={() => onShow(template)}>
                  {template.name}
                </button>
              </h2>
              <p>{template.description || filledSubject(template.subject, template.sample)}</p>
              <div className="global-actions">
                <Button
                  size="small"
                  icon={plus}
                  busy={savingIds.includes(template.id)}
                  aria-label={t('Save Template {name}', { name: template.name })}
                  onClick={() => onSave(template)}
                >
                  {t('Save Template')}
                </Button>
                <Button
                  kind="quiet"
                  size="small"
                  icon={pencil}
                  aria-label={t('Edit {name}', { name: template.name })}
                  onClick={() => onEdit(template)}
                >
                  {t('Edit')}
                </Button>
              </div>
            </div>
          </li>
        ))}
      </ul>
      {templates.length > count && (
        <div className="global-more">
          <Button onClick={() => setCount(count + pageCount)}>{t('Show more')}</Button>
        </div>
      )}
    </>
  )
}
