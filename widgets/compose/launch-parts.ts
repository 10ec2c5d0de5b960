/** What a launch needs to be seen, in one file: fetched with the first launch. */
export { DeliveryPanel } from './delivery-panel.tsx'
export { Outcome } from './outcome.tsx'
export { SendQuestion } from './send-question.tsx'
