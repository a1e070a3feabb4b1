/** The browser's local storage; where a browser forbids it, nothing is saved and nothing fails. */

export function loadText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function saveJson(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // private browsing, or the storage is full
  }
}
