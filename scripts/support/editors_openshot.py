"""Starts OpenShot, imports an EDL like its menu does, and writes the resulting project:
editors_openshot.py LIST OUT [frames]
"""

import json
import sys

edl, out, draws = sys.argv[1], sys.argv[2], len(sys.argv) > 3
sys.argv = sys.argv[:1]
sys.path.insert(0, "/usr/lib/python3/dist-packages/openshot_qt")
import openshot_qt.launch as launch  # noqa: E402
from classes import app as openshot_app  # noqa: E402
from PyQt5.QtCore import QTimer  # noqa: E402
from PyQt5.QtWidgets import QFileDialog, QMessageBox  # noqa: E402

asked = []
QMessageBox.warning = staticmethod(lambda *arguments, **_: asked.append(arguments[2]) or QMessageBox.Ok)
QFileDialog.getExistingDirectory = staticmethod(lambda *_, **__: "")


def work():
    from classes.importers import edl as importer

    app = openshot_app.get_app()
    importer.QFileDialog.getOpenFileName = staticmethod(lambda *_, **__: (edl, ""))
    importer.import_edl()
    clips = [
        {"title": clip["title"], "position": clip["position"], "start": clip["start"], "end": clip["end"],
         "video": clip["has_video"]["Points"][0]["co"]["Y"] != 0}
        for clip in app.project.get("clips")
    ]
    with open(f"{out}.json", "w") as file:
        json.dump({"fps": app.project.get("fps"), "asked": asked, "clips": clips}, file)

    def draw():
        for frame in range(3, 598, 59):
            app.window.timeline_sync.timeline.GetFrame(frame + 1).Save(f"{out}.{frame}.png", 1.0)

    if draws:
        QTimer.singleShot(3000, draw)


gui = openshot_app.OpenShotApp.gui


def started(self, *arguments):
    result = gui(self, *arguments)
    QTimer.singleShot(6000, work)
    return result


openshot_app.OpenShotApp.gui = started
launch.main()
