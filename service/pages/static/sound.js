/** The sound that calls the player, where it is wanted in this browser. A page can sound once it was touched. */

const NAME = "codille-sound";

/** Whether the player is to hear when it is the player's turn. */
let loud = kept();
addEventListener("storage", ({ key }) => {
  if (key !== NAME) return;
  loud = kept();
  dispatchEvent(new Event("preferred"));
});

/** What this browser keeps; quiet where it denies storage. */
function kept() {
  try {
    return localStorage.getItem(NAME) === "on";
  } catch {
    return false;
  }
}

export const isLoud = () => loud;

/** Sounds from now on, or no more. @param {boolean} wanted */
export async function setLoud(wanted) {
  loud = wanted;
  try {
    localStorage.setItem(NAME, wanted ? "on" : "off");
  } catch {
    // It lasts as long as the page.
  }
  dispatchEvent(new Event("preferred"));
  await wake();
  calls();
}

/** @type {AudioContext | null} */
let audio = null;

/** Lets this page sound from now on, if it is to. */
async function wake() {
  if (!loud || audio?.state === "running") return;
  audio ??= new AudioContext();
  await audio.resume();
}

/** Whether this page can sound, and is to. */
export const canSound = () => loud && audio?.state === "running";

/** Sounds, where it can. */
export function calls() {
  if (!audio || !canSound()) return;
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.35);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.4);
}

for (const kind of ["click", "keydown"]) addEventListener(kind, () => void wake());
