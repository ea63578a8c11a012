"""Chromium without a window, through chromedriver's HTTP interface: for tests/t_html and for
docs/pictures/make. Needs Debian's chromium and chromium-driver and nothing else."""
import base64
import json
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1"]

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def missing():
    """Names of what is not installed."""
    return [name for name in ("chromium", "chromedriver") if not shutil.which(name)]


class Browser:
    def __init__(self, width=1280, height=900):
        self.profile = tempfile.TemporaryDirectory(prefix="neuromc-chromium-")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.session = None
        for line in self.driver.stdout:
            if "successfully on port" in line:
                self.base = f"http://127.0.0.1:{int(line.split('on port')[1].strip(' .' + chr(10)))}"
                break
        options = {"binary": shutil.which("chromium"), "args": FLAGS + [f"--user-data-dir={self.profile.name}", f"--window-size={width},{height}"]}
        made = self._call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = made["sessionId"]
        self.size(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", f"/session/{self.session}")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with DIRECT.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:2000]) from None

    def _do(self, what, body):
        return self._call("POST", f"/session/{self.session}/{what}", body)

    def cdp(self, command, **params):
        return self._do("goog/cdp/execute", {"cmd": command, "params": params})

    def size(self, width, height, scale=1):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def scheme(self, name):
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def media(self, name):
        self.cdp("Emulation.setEmulatedMedia", media=name)

    def open(self, path):
        """Seconds until the page says that it is ready."""
        start = time.monotonic()
        self._do("url", {"url": path.resolve().as_uri()})
        while not self.js("return document.readyState === 'complete'"):
            time.sleep(.01)
        return time.monotonic() - start

    def js(self, script, *arguments):
        return self._do("execute/sync", {"script": script, "args": list(arguments)})

    def keys(self, text):
        """Types into what has the focus. Special keys by their WebDriver code points."""
        actions = [{"type": kind, "value": c} for c in text for kind in ("keyDown", "keyUp")]
        self._do("actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def log(self):
        return [entry["message"] for entry in self._do("se/log", {"type": "browser"})]

    def picture(self, path, selector=None, margin=0, most=None):
        """The whole page, or one element of it, as PNG; at most `most` pixels high."""
        clip = self.js("const e = document.querySelector(arguments[0] || 'html'); const r = e.getBoundingClientRect();"
                       "return {x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height}", selector)
        clip = {"x": clip["x"] - margin, "y": clip["y"] - margin, "width": clip["width"] + 2 * margin,
                "height": min(clip["height"] + 2 * margin, most or 1e9), "scale": 1}
        shot = self.cdp("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def pdf(self, path):
        path.write_bytes(base64.b64decode(self._do("print", {"background": True, "page": {"width": 21.0, "height": 29.7}})))
