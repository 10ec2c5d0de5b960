/** What a sweeping change, a second version of the draft or a template needs to be seen: fetched with the first of them. */
export { Notices } from './notices.tsx'
export { PickerDialog } from '../templates/picker-dialog.tsx'
