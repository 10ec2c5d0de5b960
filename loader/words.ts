export function speak(frame: HTMLElement, language: string, messages?: string): () => void {
  void frame
  void language
  void messages
  return () => undefined
}
