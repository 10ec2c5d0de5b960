export { KindSelect } from './kind-select.tsx'
export { Scheduled } from './scheduled.tsx'
export { UndoBar } from './undo-bar.tsx'
