import type { ReactNode } from 'react'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { DocumentBar } from '../../shell/document-bar.tsx'

/** The document bar of an import: back to the contacts, what is imported, and whether the choices are saved. */
export function ImportBar({ about, saving }: { about?: ReactNode; saving?: string | undefined }) {
  const t = useText()
  const back = { href: '/dashboard/contacts', label: t('Back to Contacts') }
  return <DocumentBar title={t('Import contacts')} back={back} about={about} saving={saving} />
}
