export { HeaderFields } from './header-fields.tsx'
export { LaterButton } from './later-button.tsx'
export { mailFieldsOf } from './mail-fields.ts'
export { SideParts } from './side-parts.tsx'
