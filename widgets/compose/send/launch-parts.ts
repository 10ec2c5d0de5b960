/** What a launch needs to be seen, in one file: fetched with the first launch. */
export { LaunchDialogs } from './launch-dialogs.tsx'
export { Outcome } from '../progress/outcome.tsx'
export { Progress } from '../progress/progress.tsx'
